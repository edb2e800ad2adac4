import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Guesses, guessChoices, type Sandbox } from '../../../sandbox/index.mts';
import type { Execution, JsonObject } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import { root } from '../../../tools/root.mts';
import { OwnN8n } from '../../n8n/instances.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { changeNode, importExample, outputOf, run } from './importing.mts';

// The starter that finds out what the service does. Whatever the sandbox is switched to, it names it.

// The only starter with Code nodes.
const setup = setUpN8n({ n8n: new OwnN8n({ N8N_RUNNERS_MODE: 'internal' }) });
let workflow: StoredWorkflow;
beforeAll(async () => {
	workflow = await importExample(setup, 'service');
	await enterBaseUrl(setup.sandbox.url);
	// It is considerate to a real service.
	await changeNode(setup, workflow, 'Ask with headers', ({ options }) => ({
		options: { ...(options as JsonObject), batching: { batch: { batchSize: 50 } } },
	}));
});
beforeEach(() => setup.sandbox.reset());

const enterBaseUrl = async (value: string) =>
	await changeNode(setup, workflow, 'Your service', () => ({
		assignments: { assignments: [{ id: 'field-1', name: 'baseUrl', value, type: 'string' }] },
	}));

type Answers = Record<string, string>;

const answersOf = (execution: Execution): Answers =>
	Object.fromEntries(
		outputOf(execution, 'Answers').map(({ question, answer }) => [
			String(question),
			String(answer),
		]),
	);

const ask = async (): Promise<Answers> => answersOf(await run(setup, workflow));

const finds = (what: string) => `Does the search find people by ${what}?`;
const takes = (flag: string) => `Which values does ${flag} take?`;
const counts = (list: string) => `${list}: does the count fit?`;
const includes = (edge: string) => `Does a period include its ${edge} Date?`;
const size = 'How many records does one page have at most?';
const usual = 'How many without a limit?';
const limits = 'Do responses tell the rate limit?';
const searchLag = 'How soon does the search find a new person?';
const listLag = 'How soon does the list show a new person?';
const account = 'What identifies an account?';
const empty = 'Are accounts without people listed?';
const email = 'Can two people have one email address?';
const key = 'Is a log with a known idempotency key stored again?';
const order = 'In which order do sessions come?';

const yes = 'Yes: 3 of 3';
const usually: Answers = {
	[size]: '100 records; 1000, 500, 250: rejected (400)',
	[usual]: '25 records',
	[limits]: 'No, none of 40',
	[counts('People')]: 'Yes: 240',
	[counts('Accounts')]: 'Yes: 60',
	[counts('Sessions')]: 'Yes: 320',
	[finds('email address')]: yes,
	[finds('phone number')]: yes,
	[finds('LinkedIn URL')]: yes,
	[finds('domain')]: yes,
	[finds('name')]: yes,
	[finds('slug')]: yes,
	[searchLag]: expect.stringMatching(/^Not known: the newest was created \d+ days ago/) as string,
	[listLag]: expect.stringMatching(/^Not known: the newest was created \d+ days ago/) as string,
	[account]: 'Its domain: each of 60 has its own',
	[empty]: 'Yes: 4 of 60',
	[email]: 'Not known: none of 240 people do. To see it, create a test person twice',
	[key]: expect.stringMatching(/^Not known: none of 50 entries do\. To see it, write/) as string,
	[takes('Include Empty Only')]: 'true: 4 records, not 60',
	[takes('Include Deleted')]: 'true: 265 records, not 260',
	[takes('Include Person Activity')]: 'false: 87 records, not 260',
	[takes('Include')]: 'None of true, false, 1, 0, all, archived changes anything',
	[includes('Start')]: yes,
	[includes('End')]: yes,
	[order]: 'Oldest first',
};

test('it answers all questions by reading alone, in a table without personal data', async () => {
	const execution = await run(setup, workflow);
	expect(answersOf(execution)).toEqual(usually);
	const { requests, store, apiKey } = setup.sandbox;
	expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	const [{ text }] = outputOf(execution, 'Text to paste');
	const [, , ...rows] = String(text).split('\n');
	expect(rows).toHaveLength(Object.keys(usually).length);
	const page = readFileSync(join(root, 'docs/your-service.md'), 'utf8');
	const samples = rows.filter((row) => page.includes(row));
	expect(samples).toEqual([rows[0], rows[2]]);
	const ids = /\b(?:prospect|account|page|audience|session)_\w{20}/;
	expect(text).not.toMatch(ids);
	expect(text).not.toContain(apiKey);
	for (const { name, email: address, domain, phoneNumber } of store.persons.all())
		for (const personal of [name, address, domain, phoneNumber])
			if (personal) expect(text).not.toContain(personal);
});

const foundBy = (...fields: string[]): Answers => {
	const all = ['email address', 'phone number', 'LinkedIn URL', 'domain', 'name', 'slug'];
	return Object.fromEntries(
		all.map((field) => [finds(field), fields.includes(field) ? yes : 'No: 0 of 3']),
	);
};
const now = () => new Date().toISOString();
const addNewPeople = ({ store }: Sandbox) =>
	store.addPersons(2, { createdAt: now(), updatedAt: now() });
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

/** What a service was told before. */
async function post({ url, apiKey }: Sandbox, path: string, ...bodies: object[]): Promise<void> {
	for (const body of bodies)
		await fetch(`${url}/v0${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
			body: JSON.stringify(body),
		});
}

type Switch = [guess: Partial<Guesses>, answers: Answers, prepare?: (of: Sandbox) => unknown];

const switches: Switch[] = [
	[{ personSearch: 'some' }, foundBy('email address', 'domain', 'name')],
	[{ personSearch: 'names' }, foundBy('name', 'slug')],
	[{ personSearch: 'name' }, foundBy('name')],
	[{ personSearch: 'email' }, foundBy('email address', 'domain')],
	[{ personSearch: 'domain' }, foundBy('domain')],
	[{ personSearch: 'phoneNumber' }, foundBy('phone number')],
	[{ personSearch: 'slug' }, foundBy('slug')],
	// A slug is part of the URL, and one of the three people has none.
	[
		{ personSearch: 'linkedinProfileUrl' },
		{ ...foundBy('LinkedIn URL'), [finds('slug')]: 'Not always: 2 of 3' },
	],
	[{ defaultLimit: 40 }, { [usual]: '40 records' }],
	[{ maximumLimit: 50 }, { [size]: '50 records; 1000, 500, 250, 100: rejected (400)' }],
	[{ maximumLimit: 500 }, { [size]: matching(/^240 records; 1000: rejected .* so 500 may be/) }],
	[{ excessiveLimit: 'cut' }, { [size]: '100 records; more is cut without a message' }],
	[
		{ rateLimitHeaders: 'sent' },
		{ [limits]: 'Yes: x-ratelimit-limit: 100, x-ratelimit-remaining: 99' },
	],
	[{ totalCountOfPersons: 'null' }, { [counts('People')]: 'There is no count' }],
	[{ totalCounts: 'rounded' }, { [counts('Sessions')]: 'No: it says 400, and 320 came' }],
	[
		{ searchLagMs: 3_600_000 },
		{ [searchLag]: matching(/^Later: .* 2, .* seconds ago/) },
		addNewPeople,
	],
	[{ listLagMs: 3_600_000 }, { [listLag]: matching(/^Later: .* 2, .* seconds ago/) }, addNewPeople],
	[
		{ searchLagMs: 0 },
		{ [searchLag]: matching(/^At once.*\d seconds ago/), [listLag]: matching(/^At once/) },
		addNewPeople,
	],
	[
		{ emptyAccounts: 'hidden' },
		{
			[empty]: 'None among 56',
			[takes('Include Empty Only')]: matching(/^true: 4 records, not 56/),
		},
	],
	[
		{ existingAccount: 'duplicate' },
		{ [account]: 'Only its ID: domains with several accounts: 1' },
		async (sandbox) =>
			await post(sandbox, '/accounts', { domain: 'a.example' }, { domain: 'a.example' }),
	],
	[
		{ existingPerson: 'duplicate' },
		{ [email]: 'Yes, it has happened: 1' },
		async (sandbox) => {
			const person = { name: 'Ada', email: 'ada@a.example' };
			await post(sandbox, '/persons', person, person);
		},
	],
	[
		{ repeatedKey: 'ignored' },
		{ [key]: 'Yes, it has happened: 1' },
		async (sandbox) => {
			const { email: address } = sandbox.store.persons.of(
				sandbox.store.accounts.all()[1].domain,
			)[0];
			const log = { source: 'crm', type: 'won', payload: {}, idempotencyKey: 'k', email: address };
			await post(sandbox, '/person_logs', log, log);
		},
	],
	[
		{ flags: 'digits' },
		{
			[takes('Include Deleted')]: '1: 265 records, not 260',
			[takes('Include Person Activity')]: '0: 87 records, not 260',
		},
	],
	[
		{ flags: 'strict' },
		{ [takes('Include Deleted')]: 'true: 265 records, not 260; rejected: 1, 0, all, archived' },
	],
	[{ periodEdges: 'start' }, { [includes('Start')]: yes, [includes('End')]: 'No: 0 of 3' }],
	[{ periodEdges: 'end' }, { [includes('Start')]: 'No: 0 of 3', [includes('End')]: yes }],
	[{ periodEdges: 'none' }, { [includes('Start')]: 'No: 0 of 3', [includes('End')]: 'No: 0 of 3' }],
	[{ sessionOrder: 'newestFirst' }, { [order]: 'Newest first' }],
	[{ sessionOrder: 'shuffled' }, { [order]: 'Neither oldest nor newest first' }],
];

test.each(switches.map(([guess, answers, prepare]) => ({ guess, answers, prepare })))(
	'it names $guess',
	async ({ guess, answers, prepare }) => {
		Object.assign(setup.sandbox.guesses, guess);
		await prepare?.(setup.sandbox);
		const { sandbox } = setup;
		const before = sandbox.requests.length;
		expect(await ask()).toMatchObject(answers);
		expect(sandbox.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
	},
);

test('each guess of the sandbox that reading can show is among them', () => {
	const named = new Set(switches.flatMap(([guess]) => Object.keys(guess)));
	expect(Object.keys(guessChoices).filter((guess) => !named.has(guess))).toEqual([]);
});

test('a service that has nothing, or refuses, leaves questions open, with the reason', async () => {
	const { store, faults } = setup.sandbox;
	for (const records of [store.persons, store.accounts, store.sessions]) records.clear();
	const nothing = await ask();
	expect(Object.keys(nothing)).toEqual(Object.keys(usually));
	const known = Object.entries(nothing).filter(([, answer]) => !answer.startsWith('Not known'));
	expect(Object.fromEntries(known)).toEqual({
		[size]:
			'0 records; 1000, 500, 250: rejected (400); the list has no more, so 100 may be possible',
		[usual]: '0 records',
		[limits]: expect.stringMatching(/^No, none of/) as string,
		[counts('People')]: 'Yes: 0',
		[counts('Accounts')]: 'Yes: 0',
		[takes('Include Empty Only')]: expect.stringMatching(/^None of/) as string,
	});

	setup.sandbox.reset();
	faults.add({ kind: 'status', status: 403, operationId: 'listPersons', times: Infinity });
	const answers = await ask();
	expect(answers[size]).toBe('Not known: the request failed (403)');
	expect(answers[searchLag]).toBe('Not known: the request failed (403)');
	expect(answers).toMatchObject({ [order]: 'Oldest first', [account]: usually[account] });
});

test('without the Base URL, the other questions are answered', async () => {
	await enterBaseUrl('https://api.example.com');
	const answers = await ask();
	await enterBaseUrl(setup.sandbox.url);
	expect(answers[size]).toMatch(/^Not known: no response came\. Is the Base URL/);
	expect(answers).toMatchObject({ [finds('name')]: yes, [order]: 'Oldest first' });
});
