import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type Router } from 'express';
import { describeDetails } from './details.mts';
import { Feed } from './feed.mts';
import { summarize } from './summaries.mts';
import type { Watched } from './watched.mts';

const here = { root: import.meta.dirname };
const modules = ['main.mts', 'lists.mts', 'rows.mts', 'details.mts'];

/** Nothing of another origin is loaded, and whatever is shown cannot become a script. */
const contentPolicy =
	"default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A browser runs no types. */
async function readModule(name: string): Promise<string> {
	// Only where somebody opens the console.
	const { transform } = await import('@swc/core');
	const source = await readFile(join(here.root, 'browser', name), 'utf8');
	const { code } = await transform(source, {
		configFile: false,
		swcrc: false,
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'es6' },
	});
	return code;
}

/** A page, below /console, that shows what the sandbox is asked, what it delivers, and what it is told of persons. */
export function createConsole(watched: Watched): Router {
	const router = express.Router();
	const feed = new Feed(() => summarize(watched));
	router.use((_request, response, next) => {
		response.set({
			'content-security-policy': contentPolicy,
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
		});
		next();
	});
	router.get('/', (_request, response) => response.sendFile('page.html', here));
	router.get('/style.css', (_request, response) => response.sendFile('style.css', here));
	router.get('/feed', (_request, response) => feed.join(response));
	for (const name of modules) {
		router.get(`/browser/${name}`, async (_request, response) => {
			response.type('text/javascript').send(await readModule(name));
		});
	}
	router.get('/details/:kind/:id', ({ params }, response) => {
		response.json(describeDetails(watched, params.kind, params.id));
	});
	return router;
}
