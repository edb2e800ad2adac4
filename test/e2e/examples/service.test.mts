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
	const batching = { batch: { batchSize: 50 } };
	await changeNode(setup, workflow, 'Ask with headers', ({ parameters }) => ({
		parameters: { ...parameters, options: { ...(parameters.options as JsonObject), batching } },
	}));
});
beforeEach(() => setup.sandbox.reset());

const enterBaseUrl = async (value: string) => {
	const assignments = [{ id: 'field-1', name: 'baseUrl', value, type: 'string' }];
	const parameters = { assignments: { assignments } };
	await changeNode(setup, workflow, 'Your service', () => ({ parameters }));
};

const questions = {
	size: 'How many records does one page have at most?',
	usual: 'How many without a limit?',
	limits: 'Do responses tell the rate limit?',
	people: 'People: does the count fit?',
	accounts: 'Accounts: does the count fit?',
	sessions: 'Sessions: does the count fit?',
	byEmail: 'Does the search find people by email address?',
	byPhone: 'Does the search find people by phone number?',
	byLinkedin: 'Does the search find people by LinkedIn URL?',
	byDomain: 'Does the search find people by domain?',
	byName: 'Does the search find people by name?',
	bySlug: 'Does the search find people by slug?',
	searchLag: 'How soon does the search find a new person?',
	listLag: 'How soon does the list show a new person?',
	account: 'What identifies an account?',
	empty: 'Are accounts without people listed?',
	email: 'Can two people have one email address?',
	key: 'Is a log with a known idempotency key stored again?',
	emptyOnly: 'Which values does Include Empty Only take?',
	deleted: 'Which values does Include Deleted take?',
	activity: 'Which values does Include Person Activity take?',
	include: 'Which values does Include take?',
	start: 'Does a period include its Start Date?',
	end: 'Does a period include its End Date?',
	order: 'In which order do sessions come?',
};
type Answers = Partial<Record<keyof typeof questions, string>>;

function answersOf(execution: Execution): Answers {
	const rows = outputOf(execution, 'Answers').map(({ question, answer }) => [question, answer]);
	const given = Object.fromEntries(rows) as Record<string, string>;
	expect(Object.keys(given)).toEqual(Object.values(questions));
	return Object.fromEntries(
		Object.entries(questions).map(([name, question]) => [name, given[question]]),
	);
}

const ask = async (): Promise<Answers> => answersOf(await run(setup, workflow));

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const [yes, no] = ['Yes: 3 of 3', 'No: 0 of 3'];
const notRecent = matching(/^Not known: the newest was created \d+ days ago/);
const usually: Answers = {
	size: '100 records; 1000, 500, 250: rejected (400)',
	...{ usual: '25 records', limits: 'No, none of 40' },
	...{ people: 'Yes: 240', accounts: 'Yes: 60', sessions: 'Yes: 320' },
	...{ byEmail: yes, byPhone: yes, byLinkedin: yes, byDomain: yes, byName: yes, bySlug: yes },
	...{ searchLag: notRecent, listLag: notRecent },
	...{ account: 'Its domain: each of 60 has its own', empty: 'Yes: 4 of 60' },
	email: 'Not known: none of 240 people do. To see it, create a test person twice',
	key: matching(/^Not known: none of 50 entries do\. To see it, write/),
	emptyOnly: 'true: 4 records, not 60',
	deleted: 'true: 265 records, not 260',
	activity: 'false: 87 records, not 260',
	include: 'None of true, false, 1, 0, all, archived changes anything',
	...{ start: yes, end: yes, order: 'Oldest first' },
};

test('it answers all questions by reading alone, in a table without personal data', async () => {
	const execution = await run(setup, workflow);
	expect(answersOf(execution)).toEqual(usually);
	const { requests, store, apiKey } = setup.sandbox;
	expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	const [{ text }] = outputOf(execution, 'Text to paste');
	const [, , ...rows] = String(text).split('\n');
	expect(rows).toHaveLength(Object.keys(usually).length);
	expect(text).not.toMatch(/\b(?:prospect|account|page|audience|session)_\w{20}/);
	const personal = store.persons
		.all()
		.flatMap(({ name, email, domain, phoneNumber }) => [name, email, domain, phoneNumber]);
	for (const each of [apiKey, ...personal]) if (each) expect(text).not.toContain(each);
});

/** What a service was told before. */
async function post(path: string, ...bodies: object[]): Promise<void> {
	const { url, apiKey } = setup.sandbox;
	const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
	for (const each of bodies) {
		const body = JSON.stringify(each);
		await fetch(`${url}/v0${path}`, { method: 'POST', headers, body });
	}
}

const addNewPeople = () => {
	const now = new Date().toISOString();
	setup.sandbox.store.addPersons(2, { createdAt: now, updatedAt: now });
};

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
			...{ byEmail: yes, byDomain: yes, byName: yes, byPhone: no, byLinkedin: no, bySlug: no },
			usual: '40 records',
			size: '50 records; 1000, 500, 250, 100: rejected (400)',
			limits: 'Yes: x-ratelimit-limit: 100, x-ratelimit-remaining: 99',
			...{ people: 'There is no count', empty: 'None among 57' },
			emptyOnly: matching(/^true: 3 records, not 57/),
			deleted: 'true: 265 records, not 260; rejected: 1, 0, all, archived',
			listLag: matching(/^Later: .* 2, .* seconds ago/),
			...{ start: yes, end: no, order: 'Newest first' },
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
			...{ byLinkedin: yes, bySlug: 'Not always: 2 of 3' },
			size: '100 records; more is cut without a message',
			searchLag: matching(/^Later: .* 2, .* seconds ago/),
			...{ deleted: '1: 265 records, not 260', activity: '0: 87 records, not 260' },
			...{ start: no, end: yes, order: 'Neither oldest nor newest first' },
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
			size: matching(/^24\d records; 1000: rejected .* so 500 may be/),
			...{ searchLag: matching(/^At once.*\d seconds ago/), listLag: matching(/^At once/) },
			sessions: 'No: it says 400, and 320 came',
			account: 'Only its ID: domains with several accounts: 1',
			...{ email: 'Yes, it has happened: 1', key: 'Yes, it has happened: 1' },
			...{ start: no, end: no },
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
	const nothing = Object.entries(await ask());
	expect(nothing.filter(([, answer]) => !answer.startsWith('Not known'))).toEqual(
		Object.entries({
			size: '0 records; 1000, 500, 250: rejected (400); the list has no more, so 100 may be possible',
			usual: '0 records',
			limits: matching(/^No, none of/),
			...{ people: 'Yes: 0', accounts: 'Yes: 0' },
			emptyOnly: matching(/^None of/),
		}),
	);

	setup.sandbox.reset();
	faults.add({ kind: 'status', status: 403, operationId: 'listPersons', times: Infinity });
	const answers = await ask();
	const failed = 'Not known: the request failed (403)';
	const { account } = usually;
	expect(answers).toMatchObject({
		size: failed,
		searchLag: failed,
		order: 'Oldest first',
		account,
	});
});

test('without the Base URL, the other questions are answered', async () => {
	await enterBaseUrl('https://api.example.com');
	const answers = await ask();
	await enterBaseUrl(setup.sandbox.url);
	const size = matching(/^Not known: no response came\. Is the Base URL/);
	expect(answers).toMatchObject({ size, byName: yes, order: 'Oldest first' });
});
