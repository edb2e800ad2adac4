import type { INodeParameters } from 'n8n-workflow';
import { startOfTime } from '../clock.mts';
import {
	accountId,
	type Edit,
	engines,
	hourMs,
	minuteMs,
	morePages,
	setUpPolling,
} from './pollingSetup.mts';
import { foreignKey } from './service.mts';
import { existingRecords, requestLimits } from '../../groups.mts';

const open = setUpPolling();

/* Which records of a list are new is in test/unit/polling/findNew.test.mts, and in the histories. */

test('a poll asks for the sessions since the look-back before the poll before it', async () => {
	const setup = open({ event: 'newSession', options: { lookBackHours: 3 } });
	setup.show();
	await setup.publish();
	await setup.poll(2);
	const edgeMs = 1_000;
	expect(setup.requests.map(({ query }) => [query.startDate, query.endDate])).toEqual(
		[0, 0, 1].map((minutes) => {
			const from = startOfTime + minutes * minuteMs - 3 * hourMs - edgeMs;
			return [new Date(from).toISOString(), undefined];
		}),
	);
});

test.each<[event: string, parameters: INodeParameters, path: string, query: object]>([
	[
		'accountActivity',
		{ options: { includeDeleted: 'true', includePersonActivity: ' false ' } },
		`/v0/accounts/${accountId}/activity`,
		{ includeDeleted: 'true', includePersonActivity: 'false' },
	],
	// It has no pages, so those that were chosen before do not count.
	['newPerson', { options: morePages('', 'page_gone') }, '/v0/persons', {}],
])('%s with %j asks for one list', async (event, parameters, path, query) => {
	const setup = open({ event, ...parameters });
	setup.show();
	await setup.publish();
	expect(setup.requests).toMatchObject([{ path, query }]);
});

test.each([true, false])(
	'sessions get their answers, with their interactions: %s',
	async (includeInteractions) => {
		const options = { ...requestLimits({ concurrency: 2 }), includeInteractions };
		const setup = await open({ event: 'newSession', addAnswers: true, options }).publish();
		for (const id of ['answered', 'forbidden', 'unknown']) setup.add(id);
		const interactions = [{ label: 'Name', responseText: 'Ada' }];
		setup.service.onRequest = ({ path }) => {
			const status = path.includes('forbidden') ? 403 : 200;
			const body = path.includes('unknown') ? { found: false } : { found: true, interactions };
			return path.endsWith('/interactions') ? { status, body } : undefined;
		};
		await setup.poll();
		const shown = (value: object | null) => (includeInteractions ? { interactions: value } : {});
		const interactionsError = 'The API key or this n8n has no access to this (403)';
		const none = { answers: null, interactionsFound: null, interactionsError };
		const { items } = setup.workflow;
		expect(items).toMatchObject([
			{ answers: { Name: 'Ada' }, interactionsFound: true, ...shown(interactions) },
			{ ...none, ...shown(null) },
			{ answers: {}, interactionsFound: false, ...shown([]) },
		]);
		// As Simplify leaves it.
		const fields = ['interactions', 'formSubmissionEmail', 'hasFormSubmit'];
		for (const item of items)
			expect(fields.map((field) => field in item)).toEqual([includeInteractions, true, false]);
	},
);

test('answers and interactions that change are no change of their session', async () => {
	const options = { includeInteractions: true };
	const setup = open({ event: 'changedSession', addAnswers: true, options });
	const { workflow, service } = setup;
	const show = (responseText: string, utmSource: string) => {
		const items = ['s1', 's2'].map((audienceSessionId) => ({ audienceSessionId, utmSource }));
		const interactions = { found: true, interactions: [{ label: 'Name', responseText }] };
		service.onRequest = ({ path }) => {
			const isList = !path.endsWith('/interactions');
			return { status: 200, body: isList ? { items, hasMore: false } : interactions };
		};
	};
	show('Ada', 'mail');
	await setup.publish();
	show('Bea', 'mail');
	await setup.poll(2);
	expect(workflow.executions).toEqual([]);
	show('Cleo', 'search');
	await setup.poll(2);
	expect(workflow.executions).toHaveLength(1);
	expect(workflow.items.map(({ answers }) => answers)).toEqual(Array(2).fill({ Name: 'Cleo' }));
});

test.each([1, 3])(
	'with Max Concurrent Requests %d, as many are sent at once',
	async (concurrency) => {
		const options = { ...requestLimits({ concurrency }), includeInteractions: true };
		const setup = await open({ event: 'newSession', options }).publish();
		setup.addMany(10);
		setup.respondAfter(1_000, /interactions$/);
		await setup.poll();
		expect([setup.ids.length, setup.network.peakInFlight]).toEqual([10, concurrency]);
	},
);

test('sessions take no room in n8n from two look-backs after they were last listed', async () => {
	const setup = await open({ event: 'newSession', options: { lookBackHours: 1 } }).publish();
	const { workflow } = setup;
	const measure = () => JSON.stringify(workflow.staticData).length;
	setup.add('first');
	await setup.poll();
	const size = measure();
	setup.addMany(50);
	await setup.poll();
	expect(measure()).toBeGreaterThan(size + 50);
	await setup.poll(4 * 60);
	setup.add('last');
	await setup.poll();
	expect([setup.ids.length, measure()]).toEqual([52, size]);
});

test.each(engines)(
	'a poll that begins with the state of 20 seconds ago starts nothing again (%s)',
	async (engine) => {
		const setup = await open({ event: 'newPerson', engine }).publish();
		setup.add('first');
		await setup.workflow.tickFromOneState(20_000);
		setup.add('second');
		await setup.poll();
		expect(setup.ids).toEqual(['first', 'second']);
	},
);

test('sessions of several pages start one execution, the oldest first', async () => {
	// A page that is named twice is read once.
	const byId = { __rl: true, mode: 'id', value: 'page_3' };
	const options = morePages('page_2', byId, 'page_2', 'page_1');
	const setup = open({ event: 'newSession', options });
	const { workflow, service } = setup;
	service.largestLimit = 1_000;
	await setup.publish();
	expect(setup.requests).toHaveLength(3);
	const pageIds = ['page_3', 'page_1', 'page_2', 'page_3'];
	for (const [n, page] of pageIds.entries()) setup.add(`${n}`, { at: Date.now() - n, page });
	await setup.poll(2);
	expect(workflow.executions).toHaveLength(1);
	expect(setup.ids).toEqual(['3', '2', '1', '0']);
	expect(workflow.items.map(({ pageId }) => pageId)).toEqual(pageIds.reverse());
});

test('a page that fails is told in one poll, and leaves the others alone in those after it', async () => {
	const options = morePages('page_2', 'page_3');
	const setup = await open({ event: 'newSession', options }).publish();
	const { workflow } = setup;
	const gone = 'Page "page_2" was not found (404)';
	await setup.poll();
	setup.respond({ status: 404, body: 'no' }, /page_2/);
	setup.add('first');
	setup.add('second', { page: 'page_2' });
	setup.add('third', { page: 'page_3' });
	await setup.poll();
	expect([workflow.failed, workflow.log]).toEqual([[gone], []]);
	await setup.poll();
	expect(setup.ids).toEqual(['first', 'third']);
	expect(workflow.log).toEqual([expect.stringContaining(`${gone}. The next poll retries.`)]);
	for (const id of ['fourth', 'fifth']) {
		setup.add(id);
		await setup.poll();
	}
	expect(workflow.failed).toEqual([gone]);
	setup.recover();
	await setup.poll();
	expect(setup.ids).toEqual(['first', 'third', 'fourth', 'fifth', 'second']);
});

test('pages of which one hangs are read from the second poll on', async () => {
	const options = { ...requestLimits({ concurrency: 1 }), ...morePages('page_2', 'page_3') };
	const setup = await open({ event: 'newSession', options }).publish();
	setup.respondAfter(20 * minuteMs, /page_1/);
	for (let polls = 1; polls <= 4; polls++) {
		setup.add(`second ${polls}`, { page: 'page_2' });
		setup.add(`third ${polls}`, { page: 'page_3' });
		await setup.poll();
		// The first one begins with the page that hangs.
		expect(setup.ids).toHaveLength(polls === 1 ? 0 : 2 * polls);
	}
	setup.add('first');
	setup.recover();
	await setup.poll();
	expect(setup.ids.at(-1)).toBe('first');
});

test('changes of Fields to Watch alone start the workflow, with their names', async () => {
	const options = { onlyFields: ['email', 'phoneNumber', 'name'] };
	const setup = open({ event: 'changedPerson', options });
	const { workflow } = setup;
	const person = { name: 'Ada', email: 'ada@a.example', slug: 'ada' };
	const [ada, bea, cleo] = ['ada', 'bea', 'cleo'].map((personId) => ({ personId, ...person }));
	setup.show(ada, bea);
	await setup.publish();
	const moved = { ...ada, slug: 'other', updatedAt: '2026-01-05T09:00:00Z' };
	setup.show(moved, { ...bea, slug: 'other', name: 'Bea', email: null }, cleo);
	await setup.poll(2);
	expect(workflow.items).toMatchObject([
		{ personId: 'bea', changedFields: ['email', 'name'] },
		{ personId: 'cleo', changedFields: null },
	]);
	expect(await workflow.fetchTestEvent()).toMatchObject(Array(3).fill({ changedFields: null }));
});

const set =
	(parameters: INodeParameters): Edit =>
	({ workflow }) =>
		(workflow.parameters = { ...workflow.parameters, ...parameters });

test.each<[what: string, event: string, edit: Edit, isKept: boolean]>([
	['another page', 'newSession', set({ pageId: 'page_2' }), false],
	['another event', 'newSession', set({ event: 'changedSession' }), false],
	['other flags', 'accountActivity', set({ options: { includeDeleted: 'true' } }), false],
	[
		'another service',
		'newPerson',
		({ workflow }) => (workflow.credential.baseUrl = 'https://other.example'),
		false,
	],
	// n8n files it under the name.
	['another name', 'newPerson', ({ workflow }) => (workflow.name = 'Renamed'), false],
	[
		'a Start Date in the future',
		'newPerson',
		set({ options: existingRecords('2199-01-01') }),
		true,
	],
])('with %s, what is known of %s is kept or begun anew', async (_, event, edit, isKept) => {
	const setup = open({ event });
	const records = ['before', 'between', 'after'].map((id) => ({
		...{ audienceSessionId: id, activityId: id, personId: id },
	}));
	setup.show(...records.slice(0, 1));
	await setup.publish();
	setup.show(...records.slice(0, 2));
	edit(setup);
	await setup.workflow.activate('update');
	setup.show(...records);
	await setup.poll();
	expect(setup.ids).toEqual(isKept ? ['between', 'after'] : ['after']);
	expect(setup.workflow.failed).toEqual([]);
});

// The histories change keys at any time.
test('the key of another tenant starts nothing that exists, and the log says so', async () => {
	const setup = open({ event: 'newPerson', options: existingRecords() });
	const { workflow, service } = setup;
	setup.addMany(5);
	await setup.publish();
	expect(setup.ids).toHaveLength(5);
	const foreign = service.facts.map((each) => ({ ...each, id: `foreign ${each.id}` }));
	service.foreign!.facts = foreign;
	workflow.credential.apiKey = foreignKey;
	await setup.poll(3);
	expect(setup.ids).toHaveLength(5);
	foreign.push({ ...foreign[0], id: 'new' });
	await setup.poll();
	expect(setup.ids.slice(5)).toEqual(['new']);
	expect(workflow.log).toEqual([
		"Page Audience Polling Trigger: The new API key reads other data: the trigger starts over, and existing records don't start the workflow.",
	]);
	expect(workflow.failed).toEqual([]);
	expect(JSON.stringify(workflow.staticData)).not.toContain(foreignKey);
});
