import { createRequire } from 'node:module';
import { join } from 'node:path';
import express, { type Router } from 'express';

const sandboxFolder = join(import.meta.dirname, '..');
const files = {
	'pico.css': createRequire(join(sandboxFolder, 'index.mts')).resolve(
		'@picocss/pico/css/pico.classless.min.css',
	),
	'demo.css': join(sandboxFolder, 'demo/style.css'),
	'console.css': join(sandboxFolder, 'console/style.css'),
};

/** Serves the stylesheets under /styles, so that the pages work offline. */
export function createStyles(): Router {
	const router = express.Router();
	for (const [name, path] of Object.entries(files)) {
		// pnpm links packages from a folder whose name starts with a dot.
		router.get(`/${name}`, (_request, response) => response.sendFile(path, { dotfiles: 'allow' }));
	}
	return router;
}
