import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countLines, findFaults, findOwner, readPromises } from '../../../tools/docs/promises.mts';
import { root } from '../../../tools/root.mts';

/**
 * The most lines of each room, where a room within a room has its own number. Whoever needs more deletes something, or raises
 * the number and says why in the commit.
 */
const most = {
	bench: 699,
	credentials: 163,
	nodes: 680,
	'nodes/PageAudience': 55,
	'nodes/PageAudience/ledger': 370,
	'nodes/PageAudience/operation': 868,
	'nodes/PageAudience/resources': 2_519,
	'nodes/PageAudience/run': 1_319,
	'nodes/PageAudiencePollingTrigger': 1_271,
	'nodes/PageAudienceTrigger': 1_341,
	'nodes/api': 1_302,
	'nodes/cells': 584,
	'nodes/parameters': 1_332,
	'nodes/runtime': 559,
	sandbox: 2_864,
	test: 2_280,
	'test/e2e': 1_506,
	'test/engine': 11_858,
	'test/unit': 7_070,
	tools: 3_190,
};

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What is generated costs no one anything. */
const files = globSync('{bench,credentials,nodes,sandbox,test,tools}/**/*.{ts,mts,mjs}', {
	cwd: root,
	exclude: (path) => /(^|\/)node_modules$|openapi\.d\.mts$/.test(path),
});

const roomLines = Object.fromEntries(Object.keys(most).map((room) => [room, 0]));
for (const file of files) roomLines[findOwner(file, Object.keys(most))!] += countLines(file);

const pages = ['README.md', ...globSync('docs/*.md', { cwd: root })];
const words = pages.flatMap((page) => read(page).split(/\s+/)).filter(Boolean).length;
const { devDependencies } = JSON.parse(read('package.json')) as {
	devDependencies: Record<string, string>;
};
const promises = readPromises();
const shared = promises.at(-1)!;

/** What was saved is not spent again unseen: from here on, the number has to be lowered. */
const slackOf = (limit: number): number => Math.max(50, limit * 0.05);

test.each([
	...Object.entries(most).map(
		([room, limit]) => [`lines of ${room}`, roomLines[room], limit] as const,
	),
	['lines of nodes beside no promise', shared.codeLines, 100] as const,
	['lines of tests beside no promise', shared.testLines, 2_318] as const,
	['words of README and docs', words, 10_995] as const,
])('%s: %i of at most %i', (_what, number, limit) => {
	expect(number).toBeLessThanOrEqual(limit);
	expect(number).toBeGreaterThanOrEqual(limit - slackOf(limit));
});

test('the number of development dependencies', () => {
	expect(Object.keys(devDependencies)).toHaveLength(30);
});

test('each link of the promises exists, and stands in one row', () => {
	expect(findFaults()).toEqual([]);
});

test.each(promises)('"$promise" costs $price lines', ({ price, codeLines, testLines }) => {
	const [code, tests] = price.split(' + ').map(Number);
	// npm run lint:fix writes them.
	expect(Math.abs(code - codeLines)).toBeLessThanOrEqual(slackOf(code));
	expect(Math.abs(tests - testLines)).toBeLessThanOrEqual(slackOf(tests));
});
