import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('explains only messages that exist', () => {
	const [, chapter] = read('docs/troubleshooting.md').split("## You don't understand a message");
	const cells = chapter.split('\n').flatMap((line) => /^\| (`.+?`) \|/.exec(line)?.slice(1) ?? []);
	const messages = cells.flatMap((cell) =>
		[...cell.matchAll(/`([^`…]+)/g)].map(([, text]) => text),
	);
	const code = globSync('nodes/**/*.ts', { cwd: root }).map(read).join('\n');
	expect(messages.length).toBeGreaterThan(10);
	expect(messages.filter((message) => !code.includes(message.trim()))).toEqual([]);
});
