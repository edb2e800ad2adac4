import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type Router } from 'express';
import { sendPage } from '../web/page.mts';
import { describeEntry } from './details.mts';
import { Feed } from './feed.mts';
import { consolePage } from './page.mts';
import type { ConsoleSources } from './sources.mts';
import { summarize } from './summaries.mts';

const modules = ['main.mts', 'lists.mts', 'rows.mts', 'details.mts', 'sending.mts'];

/** Strips the types, because browsers run JavaScript only. */
async function readModule(name: string): Promise<string> {
	// Imported here because few sandboxes ever show their console.
	const { transform } = await import('@swc/core');
	const source = await readFile(join(import.meta.dirname, 'browser', name), 'utf8');
	const { code } = await transform(source, {
		configFile: false,
		swcrc: false,
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'es6' },
	});
	return code;
}

/** The page under /console: subscriptions, deliveries, person logs and requests as they come in. */
export function createConsole(sources: ConsoleSources): Router {
	const router = express.Router();
	const feed = new Feed(() => summarize(sources));
	router.get('/', (_request, response) => sendPage(response, consolePage));
	router.get('/feed', (_request, response) => feed.join(response));
	for (const name of modules) {
		router.get(`/browser/${name}`, async (_request, response) => {
			response.type('text/javascript').send(await readModule(name));
		});
	}
	router.get('/details/:kind/:id', ({ params }, response) => {
		response.json(describeEntry(sources, params.kind, params.id));
	});
	return router;
}
