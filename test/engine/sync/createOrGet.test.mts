import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run, RunResult } from '../engine.mts';
import { openStage } from '../stage.mts';

const stage = openStage();

const parameters: INodeParameters = {
	resource: 'person',
	operation: 'createOrGet',
	matchOn: 'email',
	email: '={{ $json.email }}',
	name: '={{ $json.name }}',
	options: { concurrency: 1 },
};
const byPhone = { ...parameters, matchOn: 'phoneNumber', phoneNumber: '={{ $json.phone }}' };
const byLinkedin = {
	...parameters,
	matchOn: 'linkedinProfileUrl',
	linkedinProfileUrl: '={{ $json.linkedin }}',
};
const withOptions = (given: INodeParameters, options: INodeParameters) => ({
	...given,
	options: { concurrency: 1, ...options },
});

const run = async (items: IDataObject[], given = parameters, more: Partial<Run> = {}) =>
	await stage.run(given, items, more);

const outcomes = ({ output }: RunResult) => output.map(({ json }) => json.outcome ?? json.error);
const countCreated = () =>
	stage.received.filter((request) => request === 'POST /v0/persons').length;
const countPersons = (email: string) =>
	stage.sandbox.store.persons
		.all()
		.filter((person) => person.email?.toLowerCase() === email.toLowerCase()).length;
const findWith = (field: 'email' | 'phoneNumber' | 'linkedinProfileUrl', skip = 0) => {
	const person = stage.sandbox.store.persons.all().filter((each) => each[field])[skip];
	return { ...person, value: String(person[field]) };
};

describe('a person', () => {
	test('who exists is found in another spelling, and one who does not is created', async () => {
		const known = findWith('email', 3);
		const result = await run([
			{ email: ` ${known.value.toUpperCase()} `, name: 'Ignored' },
			{ email: 'new@create.example', name: 'New' },
		]);
		expect(result.error).toBeUndefined();
		expect(outcomes(result)).toEqual(['found', 'created']);
		expect(result.output[0].json).toEqual({
			...stage.sandbox.store.persons.get(known.personId),
			outcome: 'found',
		});
		expect(result.output[1].json).toMatchObject({ email: 'new@create.example', name: 'New' });
		expect(result.output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.hints).toContain('1 created, 1 found');
	});

	test('is found by the handle of a LinkedIn URL and by the digits of a phone number', async () => {
		const linkedin = findWith('linkedinProfileUrl', 2);
		const phone = findWith('phoneNumber', 5);
		const handle = linkedin.value.split('/').at(-1);
		const found = await run(
			[
				{ linkedin: `http://de.linkedin.com/in/${handle}/?trk=1#about`, name: 'a' },
				{ linkedin: 'https://www.linkedin.com/in/somebody-new', name: 'b' },
			],
			byLinkedin,
		);
		expect(outcomes(found)).toEqual(['found', 'created']);
		expect(found.output[0].json.personId).toBe(linkedin.personId);
		const spaced = phone.value.replace(/^(\+\d\d)(\d\d)(\d+)$/, '$1 (0)$2 / $3');
		const called = await run(
			[
				{ phone: spaced, name: 'a' },
				{ phone: '+49 30 12', name: 'b' },
			],
			byPhone,
		);
		expect(outcomes(called)).toEqual(['found', 'created']);
		expect(called.output[0].json.personId).toBe(phone.personId);
	});

	test.each([
		['email', 'ann@a.example', 'no-at', 'must be an email address, but is "no-at"'],
		[
			'email',
			'ann@a.example',
			'a@a.example b@a.example',
			'must be one email address, but has several: "a@a.example b@a.example"',
		],
		[
			'email',
			'ann@a.example',
			'a@a.example }}',
			'must be an email address, but is "a@a.example }}"',
		],
		['email', 'ann@a.example', '\u200b', ''],
		[
			'linkedinProfileUrl',
			'linkedin.com/in/ann',
			'linkedin.com/in/',
			'must be the URL of a LinkedIn profile such as "https://www.linkedin.com/in/nathan-smith", but is "linkedin.com/in/"',
		],
		['phoneNumber', '+49 30 12', '+49 (0) 3', 'must have at least 5 digits, but is "+49 (0) 3"'],
		['phoneNumber', '+49 30 12', '1-800-FLOWERS', 'must have at least 5 digits'],
	] as const)(
		'is not created while the %s of one item is refused',
		async (field, good, bad, problem) => {
			const items = [good, bad].map((value) => ({ value, name: 'A' }));
			const value = '={{ $json.value }}';
			const given = { ...parameters, matchOn: field, [field]: value };
			const result = await run(items, given);
			expect(result.error?.message).toContain(problem || 'is required [item 1]');
			if (problem.startsWith('must be')) {
				const create = { ...parameters, operation: 'create', additionalFields: { [field]: value } };
				expect((await run(items, create)).error?.message).toContain(problem);
			}
			expect(stage.received).toEqual([]);
		},
	);

	test.each(['create', 'createOrGet'])(
		'is not created by %s while the domain of one item cannot be one',
		async (operation) => {
			const items = ['one.example', 'not a domain'].map((domain, i) => ({
				domain,
				email: `a${i}@one.example`,
			}));
			const additionalFields = { domain: '={{ $json.domain }}' };
			const result = await run(items, { ...parameters, operation, name: 'A', additionalFields });
			expect(result.error?.message).toContain(
				'Domain must be a domain such as "example.com", but is "not a domain" [item 1]',
			);
			expect(stage.received).toEqual([]);
		},
	);

	test('is created without the invisible characters around a value', async () => {
		const items = ['\u200b\ufeffann@a.example\u200f', ' bob@b.example'].map((email) => ({
			email,
			name: 'A',
		}));
		const { output } = await run(items);
		expect(output.map(({ json }) => json.email)).toEqual(['ann@a.example', 'bob@b.example']);
	});

	test('is created once for several items with one value, whatever the search shows', async () => {
		Object.assign(stage.sandbox.guesses, { searchLagMs: 60_000, listLagMs: 60_000 });
		const items = ['a@one.example', 'A@one.example ', 'b@one.example', 'a@ONE.example'];
		const result = await run(
			items.map((email) => ({ email, name: email })),
			withOptions(parameters, { concurrency: 10 }),
		);
		expect(outcomes(result)).toEqual(['created', 'found', 'created', 'found']);
		expect(result.output[1].json.personId).toBe(result.output[0].json.personId);
		expect(countCreated()).toBe(2);
	});

	test('whose record does not show the value is found by the next item', async () => {
		const body = { personId: 'prospect_new' };
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'answer', body });
		const items = ['a@one.example', 'A@one.example', 'b@one.example'];
		const result = await run(items.map((email) => ({ email, name: email })));
		expect(outcomes(result)).toEqual(['created', 'found', 'created']);
		expect(result.output[1].json.personId).toBe('prospect_new');
	});

	test('with several records is the error of its item, which names them', async () => {
		const known = findWith('email');
		const { value, ...record } = known;
		stage.sandbox.store.persons.add({ ...record, personId: `prospect_${'d'.repeat(26)}` });
		const items = [
			{ email: value, name: 'a' },
			{ email: 'fine@one.example', name: 'b' },
		];
		const result = await run(items, parameters, { onError: 'continueErrorOutput' });
		const personIds = [known.personId, `prospect_${'d'.repeat(26)}`];
		expect(result.errors[0].json).toMatchObject({
			error: `2 people have "${value}": ${personIds.join(' and ')} [item 0]`,
			details: {
				description:
					'Nothing was written. Keep one of them in the service, or match on another field.',
				personIds,
			},
		});
		expect(outcomes(result)).toEqual(['created']);
		expect(countCreated()).toBe(1);
	});

	test('without a value to match on is refused before anything is sent', async () => {
		const result = await run(
			[
				{ phone: ' - ', name: 'a' },
				{ phone: '', name: 'b' },
			],
			byPhone,
		);
		expect(result.error?.message).toContain('Phone Number');
		expect(stage.received).toEqual([]);
	});

	test('whose field to match on is set twice is refused before anything is sent', async () => {
		const result = await run(
			[
				{ email: 'a@b.example', name: 'a' },
				{ email: 'c@d.example', name: 'b' },
			],
			{ ...parameters, additionalFields: { email: 'other@b.example' } },
		);
		expect(result.error?.message).toBe(
			'Additional Fields > Email is already set under Match On [all 2 items]',
		);
		expect(stage.received).toEqual([]);
	});
});

describe('a search', () => {
	const countSearches = () => stage.received.filter((each) => each.endsWith('/search')).length;
	const unseen = { personSearch: 'names' } as const;

	test('is all that one item with somebody who exists needs', async () => {
		await run([{ email: findWith('email').value, name: 'a' }]);
		expect(stage.received).toEqual(['GET /v0/persons/search']);
	});

	test('that finds nobody makes the list decide, for one item too', async () => {
		Object.assign(stage.sandbox.guesses, unseen);
		const { value } = findWith('email', 90);
		const [known] = (await run([{ email: value.toUpperCase(), name: 'a' }])).output;
		expect(known.json.outcome).toBe('found');
		const created = await run([{ email: 'really.new@search.example', name: 'b' }]);
		expect(outcomes(created)).toEqual(['created']);
		expect(countPersons('really.new@search.example')).toBe(1);
	});

	test('is not used for several items, which share one list, nor with Lookup > List', async () => {
		stage.sandbox.guesses.maximumLimit = 1_000;
		const items = Array.from({ length: 10 }, (_, n) => ({
			email: `p${n}@many.example`,
			name: `${n}`,
		}));
		expect(outcomes(await run(items))).toEqual(Array(10).fill('created'));
		expect(countSearches()).toBe(0);
		expect(stage.received.filter((each) => each === 'GET /v0/persons')).toHaveLength(1);
		stage.sandbox.reset();
		await run(items.slice(0, 1), withOptions(parameters, { lookup: 'list' }));
		expect(countSearches()).toBe(0);
	});

	test('that lags does not matter where the list decides', async () => {
		stage.sandbox.guesses.searchLagMs = 60_000;
		stage.sandbox.store.addPersons(1, { email: 'just.now@lag.example' });
		const result = await run([
			{ email: 'just.now@lag.example', name: 'a' },
			{ email: 'x@lag.example', name: 'b' },
		]);
		expect(outcomes(result)).toEqual(['found', 'created']);
	});

	test('is trusted with Lookup > Search, which never reads the list', async () => {
		const items = [
			{ email: 'a@only.example', name: 'a' },
			{ email: findWith('email').value, name: 'b' },
		];
		const trusting = withOptions(parameters, { lookup: 'search' });
		expect(outcomes(await run(items, trusting))).toEqual(['created', 'found']);
		Object.assign(stage.sandbox.guesses, unseen);
		expect(outcomes(await run(items.slice(1), trusting))).toEqual(['created']);
		expect(stage.received).not.toContain('GET /v0/persons');
	});

	test('asks for the handle of a profile', async () => {
		const linkedin = 'https://de.linkedin.com/in/somebody-new/?trk=1';
		await run([{ linkedin, name: 'a' }], byLinkedin);
		const searches = stage.sandbox.requests.filter(({ path }) => path.endsWith('/search'));
		expect(searches.map(({ query }) => query.query)).toEqual(['somebody-new']);
	});

	test.each([
		[
			'linkedinProfileUrl',
			'https://www.linkedin.com/in/andr%C3%A9-m%C3%BCller',
			'https://de.linkedin.com/in/André-Müller/',
		],
		['phoneNumber', '+49 (0)30 1234567', 'Tel. +49 30 1234567'],
		['phoneNumber', '+49 (30) 99-99', '+49309999'],
		['email', 'ju\u0308rgen@search.example', 'Jürgen@search.example'],
	] as const)('need not know the spellings of the %s %j', async (matchOn, stored, other) => {
		const person = { email: null, linkedinProfileUrl: null, [matchOn]: stored };
		const [{ personId }] = stage.sandbox.store.addPersons(1, person);
		const given = { ...parameters, matchOn, [matchOn]: '={{ $json.value }}', name: 'x' };
		for (const values of [[other], [stored, other]]) {
			const { output } = await run(
				values.map((value) => ({ value })),
				given,
			);
			for (const { json } of output) expect(json).toMatchObject({ personId, outcome: 'found' });
		}
		expect(countCreated()).toBe(0);
	});
});

describe('an answer that is lost', () => {
	const two = [
		{ email: 'lost@one.example', name: 'a' },
		{ email: 'kept@one.example', name: 'b' },
	];

	test('while creating is looked into, so that nobody is created twice', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
		expect(outcomes(await run(two))).toEqual(['created', 'created']);
		expect(countPersons('lost@one.example')).toBe(1);
	});

	test('while creating is found by one search', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
		await run(two.slice(0, 1), withOptions(parameters, { lookup: 'list' }));
		const after = stage.received.slice(stage.received.indexOf('POST /v0/persons') + 1);
		expect(after[0]).toBe('GET /v0/persons/search');
		expect(after.filter((each) => each.endsWith('/search'))).toHaveLength(1);
		expect(countPersons('lost@one.example')).toBe(1);
	});

	test('before the work was done is made up for after a complete look', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetBefore' });
		expect(outcomes(await run(two))).toEqual(['created', 'created']);
		expect(countPersons('lost@one.example')).toBe(1);
		expect(countCreated()).toBe(3);
	});

	test.each([
		{ lookup: 'auto', maxRetries: 0 },
		{ lookup: 'list', maxRetries: 0 },
		{ lookup: 'list', maxRetries: 3 },
	])('of one item is known to the next one with the same value (%j)', async (options) => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
		// Something else of the item may be new.
		const same = [two[0], { email: 'LOST@one.example', name: 'b', phone: '+49 30 12' }];
		const given = { ...parameters, additionalFields: { phoneNumber: '={{ $json.phone }}' } };
		const result = await run(same, withOptions(given, options), {
			onError: 'continueRegularOutput',
		});
		expect(result.output).toHaveLength(2);
		expect(countPersons('lost@one.example')).toBe(1);
	});

	test('creates nobody again where only the search may look', async () => {
		stage.sandbox.guesses.searchLagMs = 60_000;
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
		const result = await run(two, withOptions(parameters, { lookup: 'search' }), {
			onError: 'continueErrorOutput',
		});
		expect(result.errors[0].json.details).toMatchObject({ maybeDone: true, itemIndex: 0 });
		expect(outcomes(result)).toEqual(['created']);
		expect(countPersons('lost@one.example')).toBe(1);
	});

	test.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
		'without retries of its own is looked into by Retry On Fail (%s)',
		async (onError) => {
			stage.sandbox.guesses.searchLagMs = 60_000;
			stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
			const result = await run(two, withOptions(parameters, { maxRetries: 0 }), {
				onError,
				settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			});
			expect(result.error).toBeUndefined();
			expect(countPersons('lost@one.example')).toBe(1);
			expect(countPersons('kept@one.example')).toBe(1);
			if (onError === 'stopWorkflow') expect(outcomes(result)).toEqual(['created', 'created']);
		},
	);
});

test('a value of any length is named in a few words', async () => {
	const long = 'a'.repeat(5_000);
	stage.sandbox.store.addPersons(2, { email: `${long}@one.example` });
	const several = await run([{ email: `${long}@one.example`, name: 'A' }]);
	const none = await run([{ phone: long, name: 'A' }], byPhone);
	expect(several.error?.message).toMatch(/^2 people have "a+…": /);
	expect(none.error?.message).toMatch(
		/^Phone Number to Match must be a phone number, but is "a+…"/,
	);
});

describe('somebody who exists although nobody was found', () => {
	test.each(['conflict', 'returned', 'returnedAsCreated'] as const)(
		'(%s) is not created twice',
		async (existingPerson) => {
			const listLagMs = existingPerson === 'conflict' ? 1_500 : 60_000;
			Object.assign(stage.sandbox.guesses, { existingPerson, searchLagMs: 60_000, listLagMs });
			const now = new Date().toISOString();
			const moments = { createdAt: now, updatedAt: now };
			stage.sandbox.store.addPersons(1, { email: 'hidden@lag.example', ...moments });
			const result = await run([
				{ email: 'hidden@lag.example', name: 'a' },
				{ email: 'fresh@lag.example', name: 'b' },
			]);
			expect(result.error).toBeUndefined();
			expect(outcomes(result)).toEqual([
				existingPerson === 'returnedAsCreated' ? 'created' : 'found',
				'created',
			]);
			expect(countPersons('hidden@lag.example')).toBe(1);
		},
	);

	describe('is not returned with status 200 for a value of', () => {
		const additionalFields = { phoneNumber: '={{ $json.phone }}' };
		const phone = '+49 30 7654321';
		const going = { onError: 'continueErrorOutput' } as const;
		beforeEach(() => (stage.sandbox.guesses.existingPerson = 'returned'));

		test.each([
			['email', 'ada@one.example', 'whose Email is "ada@one.example"'],
			['email', null, 'whose Email is empty'],
			[
				'linkedinProfileUrl',
				'linkedin.com/in/ada',
				'whose LinkedIn Profile URL is "linkedin.com/in/ada"',
			],
		] as const)('another %s: %j', async (matchOn, stored, told) => {
			const nothing = { email: null, linkedinProfileUrl: null };
			const [ada] = stage.sandbox.store.addPersons(1, {
				...nothing,
				[matchOn]: stored,
				phoneNumber: phone,
			});
			const [bob, bea] =
				matchOn === 'email'
					? ['bob@one.example', 'bea@one.example']
					: ['linkedin.com/in/bob', 'linkedin.com/in/bea'];
			const items = [
				{ value: bob, phone },
				{ value: bea, phone: '' },
				{ value: bob, phone },
			].map((item) => ({ ...item, name: 'A' }));
			const given = { ...parameters, matchOn, [matchOn]: '={{ $json.value }}', additionalFields };
			const result = await run(items, given, going);
			expect(result.errors.map(({ json }) => json)).toMatchObject(
				[0, 2].map((item) => ({
					error: `The service returned another person for "${bob}": ${ada.personId}, ${told} [item ${item}]`,
					details: { personId: ada.personId },
				})),
			);
			for (const { json } of result.errors) expect(json.details).not.toHaveProperty('maybeDone');
			expect(outcomes(result)).toEqual(['created']);
		});

		test.each([
			[null, 'empty', '+49 30 11'],
			['+49 30 7654321', '"+49 30 7654321"', '+49 30 11'],
			// The service may have completed the number, or found someone else.
			['+49 30 7654321', '"+49 30 7654321"', '030 7654321'],
		])('a phone number that it lacks: %j, %s, for %j', async (phoneNumber, told, phone) => {
			const known = { email: 'ada@one.example', phoneNumber };
			const [ada] = stage.sandbox.store.addPersons(1, known);
			const items = [
				{ phone, email: 'ada@one.example', name: 'A' },
				{ phone: '+49 30 22', email: 'bob@one.example', name: 'B' },
			];
			const given = { ...byPhone, additionalFields: { email: '={{ $json.email }}' } };
			const result = await run(items, given, going);
			expect(result.errors.map(({ json }) => json.error)).toEqual([
				`The service returned another person for "${phone}": ${ada.personId}, whose Phone Number is ${told} [item 0]`,
			]);
			expect(outcomes(result)).toEqual(['created']);
		});
	});

	test('is created with the form of the phone number that the service makes of it', async () => {
		const body = { personId: 'prospect_completed', phoneNumber: '+49 30 1234567' };
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 201, body });
		const items = ['030 1234567', '030 123', '030/1234567'].map((phone) => ({ phone, name: 'A' }));
		const result = await run(items, byPhone);
		expect(outcomes(result)).toEqual(['created', 'created', 'found']);
		expect(result.output[2].json.personId).toBe('prospect_completed');
	});

	test('whose record does not show the value is found without a hint', async () => {
		const body = { personId: 'prospect_known', name: 'Ada' };
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 200, body });
		const items = ['ada@one.example', 'bob@one.example'].map((email) => ({ email, name: 'A' }));
		const result = await run(items);
		expect(outcomes(result)).toEqual(['found', 'created']);
		expect(result.hints).toEqual(['1 created, 1 found']);
	});
});

test('returns to a model what it needs of a person', async () => {
	const email = 'tool@one.example';
	const { output } = await run([{ email, name: 'Tool' }], parameters, { asTool: true });
	expect(output.map(({ json }) => json)).toEqual([
		{
			personId: expect.stringMatching(/^prospect_/) as string,
			name: 'Tool',
			email,
			phoneNumber: null,
			linkedinProfileUrl: null,
			outcome: 'created',
		},
	]);
});

describe('a dry run', () => {
	test('says what would happen, and sends nothing but reads', async () => {
		const known = findWith('email');
		const result = await run(
			[
				{ email: known.value, name: 'a' },
				{ email: 'new@dry.example', name: 'b' },
				{ email: 'NEW@dry.example', name: 'c' },
			],
			withOptions(parameters, { dryRun: true }),
		);
		expect(result.output.map(({ json }) => json)).toEqual([
			{ dryRun: true, request: null, outcome: 'found', personId: known.personId },
			{
				dryRun: true,
				request: {
					method: 'POST',
					path: '/v0/persons',
					query: {},
					body: { name: 'b', email: 'new@dry.example' },
				},
				outcome: 'wouldCreate',
			},
			{ dryRun: true, request: null, outcome: 'found' },
		]);
		expect(result.hints).toContain('Dry run, nothing was changed: 1 would be created, 2 found');
		expect(countCreated()).toBe(0);
		expect(result.contextData).toEqual({ 'node:Page Audience': { writes: {} } });
	});
});
