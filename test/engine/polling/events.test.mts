import type { INodeParameters } from 'n8n-workflow';
import { startOfTime } from '../clock.mts';
import { accountId, hourMs, minuteMs, morePages, play, type Scene } from './scene.mts';

/* Which records of a list are new is in test/unit/polling/findNew.test.mts, and in the histories. */

test('form submissions start the workflow once, the oldest first, with the fields of Simplify', async () => {
	const options = { startDate: new Date(startOfTime - 2 * hourMs).toISOString() };
	await play({ event: 'formSubmission', options }, async (scene) => {
		const { workflow } = scene;
		for (const hours of [3, 1])
			scene.add(`${hours}`, { form: 'form', at: startOfTime - hours * hourMs });
		await workflow.activate();
		expect(scene.ids).toEqual(['1']);
		scene.add('later', { form: 'form' });
		scene.add('visit');
		scene.add('earlier', { form: 'form', at: startOfTime - minuteMs });
		await scene.poll(2);
		expect(workflow.executions.map((items) => items.length)).toEqual([1, 2]);
		expect(scene.ids).toEqual(['1', 'earlier', 'later']);
		expect(workflow.items[0]).toMatchObject({ formSubmissionId: 'form', formSubmissionEmail: 'a' });
		expect(workflow.items[0]).not.toHaveProperty('hasFormSubmit');
	});
});

test('a poll asks for the sessions since the look-back before the poll before it', async () => {
	await play({ event: 'newSession', options: { lookBackHours: 3 } }, async (scene) => {
		scene.show();
		await scene.workflow.activate();
		await scene.poll(2);
		const edgeMs = 1_000;
		expect(scene.requests.map(({ query }) => [query.startDate, query.endDate])).toEqual(
			[0, 0, 1].map((minutes) => {
				const from = startOfTime + minutes * minuteMs - 3 * hourMs - edgeMs;
				return [new Date(from).toISOString(), undefined];
			}),
		);
	});
});

test('the activity of an account is asked for with the filters', async () => {
	const filters = { includeDeleted: 'true', includePersonActivity: ' false ' };
	await play({ event: 'accountActivity', filters }, async (scene) => {
		scene.show();
		await scene.workflow.activate();
		expect(scene.requests).toMatchObject([
			{
				path: `/v0/accounts/${accountId}/activity`,
				query: { includeDeleted: 'true', includePersonActivity: 'false' },
			},
		]);
	});
});

test.each([true, false])(
	'sessions get their answers, with their interactions: %s',
	async (includeInteractions) => {
		const options = { addAnswers: true, includeInteractions, concurrency: 2 };
		await play({ event: 'newSession', options }, async (scene) => {
			const { workflow, service } = scene;
			await workflow.activate();
			for (const id of ['answered', 'forbidden', 'unknown']) scene.add(id);
			const interactions = [{ label: 'Name', responseText: 'Ada' }];
			service.onRequest = async ({ path }) => {
				const status = path.includes('forbidden') ? 403 : 200;
				const body = path.includes('unknown') ? { found: false } : { found: true, interactions };
				return await Promise.resolve(path.endsWith('/interactions') ? { status, body } : undefined);
			};
			await scene.poll();
			const shown = (value: object | null) => (includeInteractions ? { interactions: value } : {});
			const interactionsError = 'The API key has no access to this (403)';
			const none = { answers: null, interactionsFound: null, interactionsError };
			expect(workflow.items).toMatchObject([
				{ answers: { Name: 'Ada' }, interactionsFound: true, ...shown(interactions) },
				{ ...none, ...shown(null) },
				{ answers: {}, interactionsFound: false, ...shown([]) },
			]);
			for (const item of workflow.items) expect('interactions' in item).toBe(includeInteractions);
		});
	},
);

test.each([
	[{ startFrom: 'date' }, 'Options > Start Date is required for Start From > Date'],
	[{ startDate: '2999-01-01' }, 'Options > Start Date is in the future'],
])('%j is refused at publishing', async (options, message) => {
	await play({ event: 'newPerson', options }, async ({ workflow }) => {
		await expect(workflow.activate()).rejects.toThrow(message);
	});
});

const set =
	(parameters: INodeParameters) =>
	({ workflow }: Scene) =>
		(workflow.parameters = { ...workflow.parameters, ...parameters });
const setBaseUrl =
	(baseUrl: string) =>
	({ workflow }: Scene) =>
		(workflow.credential.baseUrl = baseUrl);

test.each<[what: string, event: string, change: (scene: Scene) => unknown, ids: string[]]>([
	['another page', 'newSession', set({ pageId: 'page_2' }), ['after']],
	['another event', 'newSession', set({ event: 'changedSession' }), ['after']],
	['other filters', 'accountActivity', set({ filters: { includeDeleted: 'true' } }), ['after']],
	['another service', 'newPerson', setBaseUrl('https://other.example'), ['after']],
	// n8n files it under the name.
	['another name', 'newPerson', ({ workflow }) => (workflow.name = 'Renamed'), ['after']],
	['another spelling', 'newPerson', setBaseUrl('https://api.example/v0/'), ['between', 'after']],
	['a pause', 'newPerson', ({ workflow }) => workflow.deactivate(), ['between', 'after']],
	[
		'a Start Date in the future',
		'newPerson',
		set({ options: { startDate: '2999-01-01' } }),
		['between', 'after'],
	],
])('what is known is kept, or begun anew, with %s (%s)', async (_, event, change, ids) => {
	const records = ['before', 'between', 'after'].map((id) => ({
		audienceSessionId: id,
		activityId: id,
		personId: id,
	}));
	await play({ event }, async (scene) => {
		scene.show(...records.slice(0, 1));
		await scene.workflow.activate();
		scene.show(...records.slice(0, 2));
		change(scene);
		await scene.workflow.activate('update');
		scene.show(...records);
		await scene.poll();
		expect(scene.ids).toEqual(ids);
		expect(scene.workflow.failures).toEqual([]);
	});
});

test('events of no page ignore the pages that were chosen before', async () => {
	await play({ event: 'newPerson', options: morePages('', 'page_gone') }, async (scene) => {
		scene.show();
		await scene.workflow.activate();
		expect(scene.requests.map(({ path }) => path)).toEqual(['/v0/persons']);
	});
});
