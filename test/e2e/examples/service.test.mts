import { type Guesses, guessChoices } from '../../../sandbox/index.mts';
import type { Execution, JsonObject } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
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
	const ids = /\b(?:prospect|account|page|audience|session)_\w{20}/;
	expect(text).not.toMatch(ids);
	expect(text).not.toContain(apiKey);
	for (const { name, email: address, domain, phoneNumber } of store.persons.all())
		for (const personal of [name, address, domain, phoneNumber])
			if (personal) expect(text).not.toContain(personal);
});

const no = 'No: 0 of 3';
const now = () => new Date().toISOString();
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

/** What a service was told before. */
async function post(path: string, ...bodies: object[]): Promise<void> {
	const { url, apiKey } = setup.sandbox;
	const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
	for (const each of bodies) {
		const body = JSON.stringify(each);
		await fetch(`${url}/v0${path}`, { method: 'POST', headers, body });
	}
}

const addNewPeople = () =>
	setup.sandbox.store.addPersons(2, { createdAt: now(), updatedAt: now() });

/** Services that differ in many ways at once. */
type Service = [name: string, guesses: Partial<Guesses>, answers: Answers, prepare?: () => unknown];
const services: Service[] = [
	[
		'finds little and says little',
		{
			...{ personSearch: 'some', defaultLimit: 40, maximumLimit: 50, rateLimitHeaders: 'sent' },
			...{ totalCountOfPersons: 'null', emptyAccounts: 'hidden', listLagMs: 3_600_000 },
			...{ flags: 'strict', periodEdges: 'start', sessionOrder: 'newestFirst' },
		},
		{
			...{ [finds('email address')]: yes, [finds('domain')]: yes, [finds('name')]: yes },
			...{ [finds('phone number')]: no, [finds('LinkedIn URL')]: no, [finds('slug')]: no },
			[usual]: '40 records',
			[size]: '50 records; 1000, 500, 250, 100: rejected (400)',
			[limits]: 'Yes: x-ratelimit-limit: 100, x-ratelimit-remaining: 99',
			[counts('People')]: 'There is no count',
			[empty]: 'None among 57',
			[takes('Include Empty Only')]: matching(/^true: 3 records, not 57/),
			[takes('Include Deleted')]: 'true: 265 records, not 260; rejected: 1, 0, all, archived',
			[listLag]: matching(/^Later: .* 2, .* seconds ago/),
			...{ [includes('Start')]: yes, [includes('End')]: no, [order]: 'Newest first' },
		},
		addNewPeople,
	],
	[
		'is late',
		{
			// A slug is part of the URL, and one of the three people has none.
			...{ personSearch: 'linkedinProfileUrl', excessiveLimit: 'cut' },
			...{ searchLagMs: 3_600_000, flags: 'digits', periodEdges: 'end', sessionOrder: 'shuffled' },
		},
		{
			...{ [finds('LinkedIn URL')]: yes, [finds('slug')]: 'Not always: 2 of 3' },
			[size]: '100 records; more is cut without a message',
			[searchLag]: matching(/^Later: .* 2, .* seconds ago/),
			[takes('Include Deleted')]: '1: 265 records, not 260',
			[takes('Include Person Activity')]: '0: 87 records, not 260',
			[includes('Start')]: no,
			...{ [includes('End')]: yes, [order]: 'Neither oldest nor newest first' },
		},
		addNewPeople,
	],
	[
		'is quick, and has everything twice',
		{
			...{ existingAccount: 'duplicate', existingPerson: 'duplicate', repeatedKey: 'ignored' },
			...{ maximumLimit: 500, totalCounts: 'rounded', periodEdges: 'none' },
		},
		{
			[size]: matching(/^24\d records; 1000: rejected .* so 500 may be/),
			...{ [searchLag]: matching(/^At once.*\d seconds ago/), [listLag]: matching(/^At once/) },
			[counts('Sessions')]: 'No: it says 400, and 320 came',
			[account]: 'Only its ID: domains with several accounts: 1',
			...{ [email]: 'Yes, it has happened: 1', [key]: 'Yes, it has happened: 1' },
			...{ [includes('Start')]: no, [includes('End')]: no },
		},
		async () => {
			const { persons, accounts } = setup.sandbox.store;
			const [{ email: known }] = persons.of(accounts.all()[1].domain);
			const log = { source: 'crm', type: 'won', payload: {}, idempotencyKey: 'k', email: known };
			const ada = { name: 'Ada', email: 'ada@a.example' };
			await post('/person_logs', log, log);
			await post('/accounts', { domain: 'a.example' }, { domain: 'a.example' });
			await post('/persons', ada, ada);
		},
	],
];

test.each(services)('it names what a service does that %s', async (...service) => {
	const [, guesses, answers, prepare] = service;
	const { sandbox } = setup;
	Object.assign(sandbox.guesses, guesses);
	await prepare?.();
	const before = sandbox.requests.length;
	expect(await ask()).toMatchObject(answers);
	expect(sandbox.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
});

test('each guess of the sandbox that reading can show is among them', () => {
	const named = new Set(services.flatMap(([, guesses]) => Object.keys(guesses)));
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
