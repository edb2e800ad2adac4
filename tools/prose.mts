import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import type { Workflow } from './n8n/workflow.mts';
import { root } from './root.mts';

const notesFolder = '.cache/prose';

// Checks the spelling and the style of everything that people read.
await runToEnd(async () => {
	const pages = ['*.md', 'docs/*.md', '{bench,examples,sandbox}/*.md'];
	const files = [...globSync(pages, { cwd: root }), ...writeNotes()];
	const cspell = 'node_modules/cspell/bin.mjs';
	const spelled = await runNode(cspell, 'lint', '--no-progress', '--dot', ...files);
	// The operations page is generated: its long lines are lists of fields.
	const written = files.filter((file) => file !== join('docs', 'operations.md'));
	const textlint = 'node_modules/textlint/bin/textlint.js';
	const styled = await runNode(textlint, '--format', 'unix', ...written);
	return spelled && styled ? 0 : 1;
});

/** Writes the notes on the canvases of the examples into files that the checks can read. */
function writeNotes(): string[] {
	rmSync(join(root, notesFolder), { recursive: true, force: true });
	mkdirSync(join(root, notesFolder), { recursive: true });
	return globSync('examples/*.json', { cwd: root }).map((path) => {
		const { nodes } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Workflow;
		const notes = nodes.map(({ parameters }) => parameters.content).filter(Boolean);
		const file = `${notesFolder}/${basename(path, '.json')}.md`;
		writeFileSync(join(root, file), `${notes.join('\n\n')}\n`);
		return file;
	});
}
