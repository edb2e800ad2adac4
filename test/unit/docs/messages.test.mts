import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';
import { readPage } from './pages.mts';

const code = globSync('{nodes,credentials}/**/*.ts', { cwd: root })
	.map((file) => readFileSync(join(root, file), 'utf8'))
	.join('\n')
	.replaceAll("\\'", "'");

/** The messages of the page: each code span of a first column, with … for values. */
const [, section = ''] = readPage('troubleshooting.md').split('\n## Messages\n');
const messages = [...section.split('\n## ')[0].matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) =>
	[...cell.matchAll(/`([^`]+)`/g)].map(([, message]) => message),
);

test('finds the messages', () => expect(messages.length).toBeGreaterThan(100));

test.each(messages)('the nodes show "%s"', (message) => {
	const [longest] = message.split('…').sort((one, other) => other.length - one.length);
	expect(code.includes(longest.trim())).toBe(true);
});
