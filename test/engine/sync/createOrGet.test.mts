import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { originOf } from '../engine.mts';
import { startOfTime } from '../clock.mts';
import type { Reply } from '../fakeNetwork.mts';
import { type FirstCreation, run as runWith, sandbox } from './creating.mts';
import { requestLimits } from '../../groups.mts';

/* Who is found, whatever the service's search and list show, is in properties/createOrGet. */

const { store, guesses } = sandbox;

const parameters: INodeParameters = {
	resource: 'person',
	operation: 'createOrGet',
	matchOn: 'email',
	email: '={{ $json.email }}',
	name: '={{ $json.name ?? "Somebody" }}',
};
const matching = (matchOn: string): INodeParameters => ({
	...parameters,
	matchOn,
	[matchOn]: '={{ $json.value }}',
});

const run = async (items: IDataObject[], given: Partial<Parameters<typeof runWith>[1]>) =>
	await runWith(items, { parameters, ...given });

const add = (person: IDataObject) => {
	const nothing = { email: null, phoneNumber: null, linkedinProfileUrl: null, domain: null };
	return store.addPersons(1, { ...nothing, ...person })[0];
};
const countOf = (email: string) =>
	store.persons.all().filter((each) => each.email === email).length;

test('who exists is returned, and others are created once', async () => {
	const ada = add({ name: 'Ada', email: 'ada@a.example' });
	const emails = [' ADA@a.example ', 'bea@b.example', 'Bea@b.example'];
	const items = emails.map((email) => ({ email, name: 'New' }));
	const { output, outcomes, hints, creations } = await run(items, {
		options: requestLimits({ concurrency: 10 }),
	});
	expect(outcomes).toEqual(['found', 'created', 'found']);
	expect(output[0].json).toEqual({ ...ada, outcome: 'found' });
	expect(output[1].json).toMatchObject({ name: 'New', email: 'bea@b.example' });
	expect(output[2].json.personId).toBe(output[1].json.personId);
	expect(output.map(originOf)).toEqual([0, 1, 2]);
	expect(hints).toEqual(['1 created, 2 found']);
	expect(creations).toBe(1);
});

test('who is listed without an ID is the error of the item', async () => {
	const answer = () => ({ status: 200, body: { items: [{ email: 'ada@a.example' }] } });
	const items = ['ada@a.example', 'ADA@a.example'].map((email) => ({ email }));
	const { errors } = await run(items, { answer, onError: 'continueErrorOutput' });
	expect(errors.map(({ json }) => json.error)).toEqual(
		[0, 1].map((item) => `The service listed the record without its personId [item ${item}]`),
	);
});

test('several people with one value are the error of their item, which names them', async () => {
	const personIds = [1, 2].map(() => add({ email: 'ada@a.example' }).personId);
	const items = ['ada@a.example', 'bea@b.example'].map((email) => ({ email }));
	const { errors, creations } = await run(items, { onError: 'continueErrorOutput' });
	expect(errors.map(({ json }) => json)).toMatchObject([
		{
			error: `2 people have "ada@a.example": ${personIds.join(' and ')} [item 0]`,
			details: {
				description:
					'Nothing was written. Keep one of them in the service, or match on another field.',
				personIds,
			},
		},
	]);
	expect(creations).toBe(1);
});

test.each([
	['Phone Number', { ...matching('phoneNumber'), phoneNumber: ' - ' }],
	[
		'Additional Fields > Email is already set under Match On [all 2 items]',
		{ ...parameters, additionalFields: { email: 'other@b.example' } },
	],
])('%s is refused before anything is sent', async (message, given) => {
	const items = ['ada@a.example', 'bea@b.example'].map((email) => ({ email }));
	const { error, requests } = await run(items, { parameters: given });
	expect(error?.message).toContain(message);
	expect(requests).toEqual([]);
});

describe('the look-up', () => {
	const search = 'GET /v0/persons/search';
	const list = 'GET /v0/persons';
	const create = 'POST /v0/persons';

	test.each<[lookup: string, emails: string[], requests: string[], outcomes: string[]]>([
		['auto', ['ada@a.example'], [search], ['found']],
		['auto', ['new@b.example'], [search, list, create], ['created']],
		['auto', ['new@b.example', 'ada@a.example'], [list, create], ['created', 'found']],
		['list', ['ada@a.example'], [list], ['found']],
		['search', ['new@b.example', 'ada@a.example'], [search, create, search], ['created', 'found']],
	])('%s of %j sends %j', async (lookup, emails, requests, outcomes) => {
		guesses.maximumLimit = 1_000;
		add({ email: 'ada@a.example' });
		const result = await run(
			emails.map((email) => ({ email })),
			{ options: { lookup } },
		);
		expect(result).toMatchObject({ requests, outcomes });
	});

	test.each(['ada@münchen.example', 'ada@xn--mnchen-3ya.example'])(
		'asks for both forms of a domain with other letters, of which %s is stored',
		async (email) => {
			const { personId } = add({ email });
			for (const asked of ['Ada@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example']) {
				const items = [asked, 'bea@b.example'].map((each) => ({ email: each }));
				const { output, outcomes } = await run(items, { options: { lookup: 'search' } });
				expect(outcomes[0]).toBe('found');
				expect(output[0].json.personId).toBe(personId);
			}
		},
	);

	test('asks for the handle of a profile, because its address has many forms', async () => {
		const value = 'https://de.linkedin.com/in/ada-berg/?trk=1';
		const { exchanges } = await run([{ value }], { parameters: matching('linkedinProfileUrl') });
		expect(exchanges[0].request.query).toMatchObject({ query: 'ada-berg' });
	});
});

describe('a creation whose response is lost', () => {
	const items = ['lost@one.example', 'kept@one.example'].map((email) => ({ email }));

	const failed: Reply = { status: 500, body: {} };

	test.each<[lookup: string, FirstCreation, sent: number]>([
		['auto', 'lost after the work', 2],
		['auto', 'lost before the work', 3],
		['auto', failed, 3],
		['search', 'lost after the work', 2],
		['search', 'lost before the work', 3],
		['search', failed, 3],
	])('is looked into, with Lookup %s and %j', async (lookup, first, sent) => {
		const result = await run(items, { first, options: { lookup } });
		expect(result.creations).toBe(sent);
		expect(result.outcomes).toEqual(['created', 'created']);
		expect(items.map(({ email }) => countOf(email))).toEqual([1, 1]);
	});

	test('is told as created, too, where the service answers the next attempt with a conflict', async () => {
		Object.assign(guesses, { existingPerson: 'conflict', searchLagMs: 3_000 });
		const options = { lookup: 'search' };
		const { outcomes, creations } = await run(items, { first: 'lost after the work', options });
		expect(outcomes).toEqual(['created', 'created']);
		expect(creations).toBe(3);
	});

	test('leaves no doubt beside it when another item is cancelled while it looks', async () => {
		const controller = new AbortController();
		const { contextData } = await run(items, {
			options: requestLimits({ maxRetries: 0 }),
			signal: controller.signal,
			answer: (request) => {
				controller.abort();
				return sandbox.answer(request);
			},
		});
		expect(JSON.stringify(contextData)).not.toContain('doubt');
	});

	test('is looked into by Retry On Fail, too', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const options = requestLimits({ maxRetries: 0 });
		const { outcomes } = await run(items, { first: 'lost after the work', options, settings });
		expect(outcomes).toEqual(['created', 'created']);
		expect(items.map(({ email }) => countOf(email))).toEqual([1, 1]);
	});

	test.each<[maxRetries: number, outcomes: unknown[]]>([
		[0, [expect.stringContaining('connection'), 'created']],
		[3, ['created', 'found']],
	])(
		'is known to the next item with the value, although something else is new (%i retries)',
		async (maxRetries, expected) => {
			const additionalFields = { phoneNumber: '={{ $json.phone }}' };
			const same = [items[0], { email: 'LOST@one.example', phone: '+49 30 12345' }];
			const { creations, outcomes } = await run(same, {
				parameters: { ...parameters, additionalFields },
				options: { ...requestLimits({ maxRetries }), lookup: 'list' },
				first: 'lost after the work',
				onError: 'continueRegularOutput',
			});
			expect(outcomes).toEqual(expected);
			expect(creations).toBe(1);
		},
	);
});

describe('a conflict', () => {
	const email = 'new@one.example';
	const items = [{ email }, { email: 'bea@b.example' }];
	const conflict: Reply = { status: 409, body: {} };
	const onError = 'continueErrorOutput';

	test('with who is there by then finds that person', async () => {
		const now = new Date(startOfTime).toISOString();
		Object.assign(guesses, { existingPerson: 'conflict', searchLagMs: 60_000, listLagMs: 1_500 });
		add({ email, createdAt: now, updatedAt: now });
		const { outcomes, creations } = await run(items, { options: requestLimits({ maxRetries: 0 }) });
		expect(outcomes).toEqual(['found', 'created']);
		expect(creations).toBe(2);
	});

	test('with nobody has the person created', async () => {
		const { outcomes, creations } = await run(items, { first: conflict });
		expect(outcomes).toEqual(['created', 'created']);
		expect(creations).toBe(3);
	});

	test('that comes again is the error of the item', async () => {
		const isOfFirst = (body: object) => 'email' in body && body.email === email;
		const { errors, exchanges, outcomes } = await run(items, {
			onError,
			answer: (request) =>
				request.method === 'POST' && isOfFirst(request.body as object)
					? conflict
					: sandbox.answer(request),
		});
		expect(outcomes).toEqual(['created']);
		expect(errors.map(({ json }) => json.details)).toMatchObject([
			{ status: 409, maybeDone: false, itemIndex: 0 },
		]);
		expect(exchanges.filter(({ request }) => request.method === 'POST')).toHaveLength(3);
	});
});

describe('what the service returns in place of a new person', () => {
	test.each<[string, Reply, outcomes: string[]]>([
		[
			'does not show the value',
			{ status: 201, body: { personId: 'p' } },
			['created', 'found', 'created'],
		],
		[
			'is somebody who exists',
			{ status: 200, body: { personId: 'p', phoneNumber: '(030) 1234567' } },
			['found', 'found', 'created'],
		],
		[
			'has a completed number',
			{ status: 201, body: { personId: 'p', phoneNumber: '+49 30 1234567' } },
			['created', 'found', 'found'],
		],
	])('%s', async (_, first, outcomes) => {
		const items = ['030 1234567', '030/1234567', '+49 30 1234567'].map((value) => ({ value }));
		const result = await run(items, { parameters: matching('phoneNumber'), first });
		expect(result.outcomes).toEqual(outcomes);
		expect(result.output[1].json.personId).toBe('p');
		expect(result.hints).toHaveLength(1);
	});

	test.each([
		['email', 'ada@a.example', 'bea@b.example', 'Email is "ada@a.example"'],
		[
			'linkedinProfileUrl',
			null,
			'https://www.linkedin.com/in/bea',
			'LinkedIn Profile URL is empty',
		],
		// The service may have completed the number, or found someone else.
		['phoneNumber', '+49 30 7654321', '030 7654321', 'Phone Number is "+49 30 7654321"'],
	])('is not taken for another %s', async (matchOn, stored, value, told) => {
		const first = { status: 200, body: { personId: 'p', [matchOn]: stored } };
		const items = [value, value.replace(/bea|030/, '$&9')].map((each) => ({ value: each }));
		const given = { parameters: matching(matchOn), first, onError: 'continueErrorOutput' } as const;
		const { errors, output } = await run(items, given);
		expect(errors.map(({ json }) => json)).toMatchObject([
			{
				error: `The service returned another person for "${value}": p, whose ${told} [item 0]`,
				details: {
					personId: 'p',
					description: expect.stringContaining('a value under Additional Fields') as string,
				},
			},
		]);
		expect(errors[0].json.details).not.toHaveProperty('maybeDone');
		expect(output).toHaveLength(1);
	});
});

test('a dry run says what would happen, and sends nothing but reads', async () => {
	const { personId } = add({ email: 'ada@a.example' });
	const emails = ['ada@a.example', 'new@dry.example', 'NEW@dry.example'];
	const items = emails.map((email) => ({ email }));
	const { output, creations } = await run(items, { options: { dryRun: true } });
	expect(output.map(({ json }) => json)).toMatchObject([
		{ dryRun: true, request: null, outcome: 'found', personId },
		{ dryRun: true, request: { body: { email: 'new@dry.example' } }, outcome: 'wouldCreate' },
		{ dryRun: true, request: null, outcome: 'found' },
	]);
	expect(creations).toBe(0);
});

test('a model gets what it needs of a person', async () => {
	const { output } = await run([{ email: 'ada@a.example' }], { asTool: true });
	expect(output.map(({ json }) => Object.keys(json))).toEqual([
		['personId', 'name', 'email', 'phoneNumber', 'linkedinProfileUrl', 'outcome'],
	]);
});
