import { activityShape, sessionShape } from '../../../nodes/records/shapes.ts';
import { openScene } from './scene.mts';

const scene = openScene();

const idsOf = (items: object[], id: string) =>
	items.map((item) => (item as Record<string, unknown>)[id]);
const hourMs = 3_600_000;

describe('Form Submission', () => {
	it('starts once for each session in which the form was submitted, the oldest first', async () => {
		const workflow = scene.poll({ event: 'formSubmission' });
		await workflow.activate();
		expect(workflow.executions).toEqual([]);
		scene.addSession();
		const later = scene.addSession({ isSubmitted: true });
		const earlier = scene.addSession({ isSubmitted: true, hoursAgo: 2 });
		await workflow.tick();
		await workflow.tick();
		expect(workflow.executions).toHaveLength(1);
		expect(idsOf(workflow.items, 'audienceSessionId')).toEqual([
			earlier.audienceSessionId,
			later.audienceSessionId,
		]);
		expect(Object.keys(workflow.items[0])).toEqual(sessionShape.simplified);
	});

	it('starts for a submission in a session that is known without one, and for a second one in it', async () => {
		const workflow = scene.poll({ event: 'formSubmission', simplify: false });
		await workflow.activate();
		const session = scene.addSession();
		await workflow.tick();
		for (const formSubmissionId of ['form_first', 'form_second']) {
			scene.sandbox.store.sessions.get(session.audienceSessionId)!.formSubmissionId =
				formSubmissionId;
			await workflow.tick();
		}
		expect(idsOf(workflow.items, 'formSubmissionId')).toEqual(['form_first', 'form_second']);
	});

	describe('without an ID', () => {
		/** A session that a poll has found submitted and without an ID. */
		async function pollWithoutId() {
			const workflow = scene.poll({ event: 'formSubmission', simplify: false });
			await workflow.activate();
			const { audienceSessionId } = scene.addSession({ isSubmitted: true, formSubmissionId: '' });
			const stored = scene.sandbox.store.sessions.get(audienceSessionId)!;
			await workflow.tick();
			await workflow.tick();
			expect(idsOf(workflow.items, 'audienceSessionId')).toEqual([audienceSessionId]);
			return { workflow, stored };
		}

		it('starts once, also if the session changes', async () => {
			const { workflow, stored } = await pollWithoutId();
			stored.timeSpentSeconds++;
			await workflow.tick();
			expect(workflow.items).toHaveLength(1);
		});

		it('does not start again when it gets its ID, but for each further one', async () => {
			const { workflow, stored } = await pollWithoutId();
			for (const formSubmissionId of ['form_1', 'form_2', 'form_1', 'form_3']) {
				stored.timeSpentSeconds++;
				Object.assign(stored, { formSubmissionId });
				await workflow.tick();
				await workflow.tick();
			}
			expect(idsOf(workflow.items, 'formSubmissionId')).toEqual(['', 'form_2', 'form_3']);
		});

		it('starts for a second submission that is shown without its ID first', async () => {
			const { workflow, stored } = await pollWithoutId();
			for (const formSubmissionId of ['form_1', '', 'form_2']) {
				Object.assign(stored, { formSubmissionId });
				await workflow.tick();
			}
			expect(idsOf(workflow.items, 'formSubmissionId')).toEqual(['', 'form_2']);
		});

		it('does not start when it had its ID before, but for a further one', async () => {
			const workflow = scene.poll({ event: 'formSubmission', simplify: false });
			const known = scene.addSession({ hoursAgo: 1, formSubmissionId: 'form_a1' });
			await workflow.activate();
			const added = scene.addSession({ formSubmissionId: 'form_b1' });
			await workflow.tick();
			for (const [session, first, further] of [
				[known, 'form_a1', 'form_a2'],
				[added, 'form_b1', 'form_b2'],
			] as const) {
				session.hasFormSubmit = true;
				// As from a replica that is behind.
				for (const formSubmissionId of ['', first, '', further]) {
					Object.assign(session, { formSubmissionId });
					await workflow.tick();
				}
			}
			expect(idsOf(workflow.items, 'formSubmissionId')).toEqual(['form_b1', 'form_a2', 'form_b2']);
		});
	});
});

describe('New Session', () => {
	it('finds a session that appears two hours after its start', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		scene.addSession();
		await workflow.tick();
		const late = scene.addSession({ hoursAgo: 2 });
		await workflow.tick();
		await workflow.tick();
		expect(workflow.executions.map((items) => items.length)).toEqual([1, 1]);
		expect(workflow.items[1]).toMatchObject({ audienceSessionId: late.audienceSessionId });
	});

	it('asks for the look-back before the last reading, with any API key', async () => {
		const workflow = scene.poll({ event: 'newSession', options: { lookBackHours: 3 } });
		await workflow.activate();
		await workflow.tick();
		for (const { query } of scene.sandbox.requests) {
			const from = Date.parse(String(query.startDate));
			expect(Math.abs(Date.now() - 3 * hourMs - from)).toBeLessThan(60_000);
			expect(query).not.toHaveProperty('endDate');
		}
	});

	it.each(['newSession', 'formSubmission', 'changedSession'])(
		'skips a session from before everything that is known, which the service computed anew (%s)',
		async (event) => {
			const workflow = scene.poll({ event, options: { lookBackHours: 5 } });
			await workflow.activate();
			const old = [200, 6].map((hoursAgo) => scene.addSession({ hoursAgo, isSubmitted: true }));
			const late = scene.addSession({ hoursAgo: 4, isSubmitted: true });
			const undated = scene.addSession({ sessionStartedAt: 'soon', isSubmitted: true });
			// The date that the service compares with the filter is not documented.
			const items = [...old, late, undated];
			const body = { items, hasMore: false, nextCursor: null, totalCount: 4 };
			scene.sandbox.faults.add({ kind: 'answer', status: 200, body, times: 3 });
			await workflow.tick();
			Object.assign(old[0], { computationStatus: 'done' });
			await workflow.tick();
			await workflow.tick();
			expect(idsOf(workflow.items, 'audienceSessionId')).toEqual(
				idsOf([late, undated], 'audienceSessionId'),
			);
		},
	);

	it('reads no farther back than anything is known when Look Back grows', async () => {
		const workflow = scene.poll({ event: 'newSession', options: { lookBackHours: 2 } });
		scene.addSession({ hoursAgo: 5 });
		await workflow.activate();
		workflow.parameters = { ...workflow.parameters, options: { lookBackHours: 48 } };
		await workflow.activate('update');
		await workflow.tick();
		expect(workflow.items).toEqual([]);
	});

	it('adds the interactions, and says which could not be read', async () => {
		const workflow = scene.poll({
			event: 'newSession',
			options: { includeInteractions: true, concurrency: 2 },
		});
		await workflow.activate();
		const [read, failed, unknown] = [3, 2, 1].map((hoursAgo) => scene.addSession({ hoursAgo }));
		const interaction = scene.sandbox.store.interactions.all()[0];
		scene.sandbox.store.interactions.add({
			...interaction,
			audienceSessionId: read.audienceSessionId,
		});
		scene.sandbox.faults.add({
			kind: 'status',
			status: 403,
			path: new RegExp(failed.audienceSessionId),
		});
		scene.sandbox.faults.add({
			kind: 'answer',
			path: new RegExp(unknown.audienceSessionId),
			body: { found: false, interactions: [] },
		});
		await workflow.tick();
		expect(workflow.items).toMatchObject([
			{ interactions: [interaction.interaction], interactionsFound: true },
			{
				interactions: null,
				interactionsFound: null,
				interactionsError: 'The API key has no access to this (403)',
			},
			{ interactions: [], interactionsFound: false },
		]);
		expect(workflow.items[0]).not.toHaveProperty('interactionsError');
		await workflow.tick();
		expect(workflow.executions).toHaveLength(1);
	});

	it('adds the answers, with or without the interactions', async () => {
		for (const includeInteractions of [false, true]) {
			const workflow = scene.poll({
				event: 'newSession',
				options: { addAnswers: true, includeInteractions },
			});
			await workflow.activate();
			const [one, two, failed] = [3, 2, 1].map((hoursAgo) => scene.addSession({ hoursAgo }));
			const { interaction } = scene.sandbox.store.interactions.all()[0];
			for (const [{ audienceSessionId }, responseText] of [
				[one, 'Ada'],
				[one, 'Lovelace'],
				[two, ''],
			] as const)
				scene.sandbox.store.interactions.add({
					audienceSessionId,
					interaction: { ...interaction, label: 'Name', responseText },
				});
			scene.sandbox.faults.add({
				kind: 'status',
				status: 404,
				path: new RegExp(failed.audienceSessionId),
			});
			await workflow.tick();
			expect(workflow.items).toMatchObject([
				{ answers: { Name: 'Ada', 'Name (2)': 'Lovelace' }, interactionsFound: true },
				{ answers: {}, interactionsFound: true },
				{ answers: null, interactionsFound: null },
			]);
			for (const item of workflow.items) expect('interactions' in item).toBe(includeInteractions);
		}
	});
});

test('New or Changed Session starts for each change, and for a change back', async () => {
	const workflow = scene.poll({ event: 'changedSession', simplify: false });
	const session = scene.addSession({ hoursAgo: 1 });
	const other = scene.addSession({ hoursAgo: 1 });
	await workflow.activate();
	const stored = scene.sandbox.store.sessions.get(session.audienceSessionId)!;
	const { timeSpentSeconds } = stored;
	for (const seconds of [timeSpentSeconds + 1, timeSpentSeconds]) {
		stored.timeSpentSeconds = seconds;
		await workflow.tick();
		await workflow.tick();
	}
	scene.sandbox.store.sessions.get(other.audienceSessionId)!.hasConversion = true;
	await workflow.tick();
	expect(idsOf(workflow.items, 'timeSpentSeconds')).toEqual([
		timeSpentSeconds + 1,
		timeSpentSeconds,
		other.timeSpentSeconds,
	]);
});

describe('people', () => {
	const addPerson = (name: string) => scene.sandbox.store.addPersons(1, { name })[0];

	it('New Person starts once for each, with all fields', async () => {
		const workflow = scene.poll({ event: 'newPerson' });
		await workflow.activate();
		const people = ['Ada Example', 'Ben Example'].map(addPerson);
		await workflow.tick();
		people[0].name = 'Ada Renamed';
		await workflow.tick();
		expect(idsOf(workflow.items, 'name').sort()).toEqual(['Ada Example', 'Ben Example']);
		expect(workflow.items[0]).toHaveProperty('tenantId');
	});

	it('New or Changed Person is told by the content', async () => {
		const workflow = scene.poll({ event: 'changedPerson' });
		await workflow.activate();
		const [known, other] = scene.sandbox.store.persons.all();
		known.name = 'Renamed';
		addPerson('Ada Example');
		await workflow.tick();
		other.phoneNumber = '+49 30 123';
		await workflow.tick();
		expect(workflow.executions.map((items) => items.length)).toEqual([2, 1]);
		expect(idsOf(workflow.items, 'name')).toEqual(
			expect.arrayContaining(['Renamed', 'Ada Example', other.name]),
		);
	});
});

describe('Account Activity', () => {
	const addActivity = (activityId: string, type: string) => {
		const { store } = scene.sandbox;
		const [account] = store.accounts.all();
		const changes = { activityId, activityType: 'account-log-entry', type };
		return store.addActivities(account.accountId, 1, changes)[0];
	};

	it('starts once for each entry, and sends the filters', async () => {
		const workflow = scene.poll({
			event: 'accountActivity',
			filters: { includeDeleted: 'true', includePersonActivity: ' false ' },
		});
		await workflow.activate();
		addActivity('activity_1', 'call');
		addActivity('activity_2', 'mail');
		await workflow.tick();
		await workflow.tick();
		expect(workflow.executions).toHaveLength(1);
		expect(idsOf(workflow.items, 'type').sort()).toEqual(['call', 'mail']);
		expect(Object.keys(workflow.items[0])).toEqual(activityShape.simplified);
		for (const { query } of scene.sandbox.requests)
			expect(query).toMatchObject({ includeDeleted: 'true', includePersonActivity: 'false' });
	});

	it('tells entries without an ID apart by their content', async () => {
		const workflow = scene.poll({ event: 'accountActivity', simplify: false });
		const entries = [{ type: 'call' }, { type: 'mail' }, { type: 'visit' }];
		const show = (items: object[]) =>
			scene.sandbox.faults.add({
				kind: 'answer',
				status: 200,
				body: { items: [...items], hasMore: false },
			});
		show(entries.slice(0, 1));
		await workflow.activate();
		show(entries);
		await workflow.tick();
		show(entries.reverse());
		await workflow.tick();
		expect(workflow.items).toEqual([{ type: 'mail' }, { type: 'visit' }]);
	});
});

describe('Start From', () => {
	it.each(['memory', 'scheduler', 'durable'] as const)(
		'All outputs everything at publishing, and nothing twice (%s)',
		async (engine) => {
			const workflow = scene.poll({ event: 'newSession', options: { startFrom: 'all' } }, engine);
			const count = scene.sandbox.store.sessions.of(scene.pageId).length;
			await workflow.activate();
			expect(workflow.items).toHaveLength(count);
			await workflow.tick();
			scene.addSession();
			await workflow.tick();
			expect(workflow.items).toHaveLength(count + 1);
		},
	);

	it('Date outputs what began from that date on', async () => {
		const [before, at, after] = [50, 30, 10].map((hoursAgo) => scene.addSession({ hoursAgo }));
		const workflow = scene.poll({
			event: 'newSession',
			options: { startFrom: 'date', startDate: at.sessionStartedAt },
		});
		await workflow.activate();
		await workflow.tick();
		expect(idsOf(workflow.items, 'audienceSessionId')).toEqual([
			at.audienceSessionId,
			after.audienceSessionId,
		]);
		expect(before.audienceSessionId).not.toBe(at.audienceSessionId);
	});

	it('Date outputs people who were created from that date on', async () => {
		const persons = scene.sandbox.store.persons.all();
		const startDate = persons[3].createdAt;
		const expected = persons.filter(({ createdAt }) => createdAt >= startDate);
		const workflow = scene.poll({ event: 'newPerson', options: { startDate } });
		await workflow.activate();
		await workflow.tick();
		expect(workflow.items).toHaveLength(expected.length);
		expect(expected.length).toBeLessThan(persons.length);
	});

	it.each([
		[{ startFrom: 'date' }, 'Options > Start Date is required for Start From > Date'],
		[{ startDate: '2999-01-01' }, 'Options > Start Date is in the future'],
	])('%j is refused at publishing', async (options, message) => {
		const workflow = scene.poll({ event: 'newPerson', options });
		await expect(workflow.activate()).rejects.toThrow(message);
	});

	it('a date in the future is accepted once a trigger has taken stock', async () => {
		const workflow = scene.poll({ event: 'newPerson' });
		await workflow.activate();
		workflow.parameters = { ...workflow.parameters, options: { startDate: '2999-01-01' } };
		await workflow.activate('update');
		await workflow.tick();
		expect([workflow.items, workflow.failures]).toEqual([[], []]);
	});
});

describe('the state', () => {
	it('belongs to the page, the event and the Base URL: another one takes a new snapshot', async () => {
		const [, secondPage] = scene.sandbox.store.pages.all();
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		scene.addSession();
		scene.addSession({ pageId: secondPage.pageId });
		for (const change of [{ pageId: secondPage.pageId }, { event: 'newPerson' }]) {
			workflow.parameters = { ...workflow.parameters, ...change };
			await workflow.activate('update');
			await workflow.tick();
		}
		const { port } = new URL(scene.credential.baseUrl);
		workflow.credential = { ...scene.credential, baseUrl: `http://localhost:${port}` };
		scene.sandbox.store.addPersons(1);
		await workflow.tick();
		expect(workflow.failures).toEqual([]);
		expect(workflow.items).toEqual([]);
	});

	it('stays when the API key or the Base URL is written in another way', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		workflow.credential = {
			apiKey: ` ${scene.credential.apiKey} `,
			baseUrl: `${scene.credential.baseUrl}/v0/`,
		};
		const session = scene.addSession();
		await workflow.activate('update');
		expect(workflow.items).toMatchObject([{ audienceSessionId: session.audienceSessionId }]);
	});

	it('goes on after a pause', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		workflow.deactivate();
		const sessions = [2, 1].map((hoursAgo) => scene.addSession({ hoursAgo }));
		await workflow.activate();
		await workflow.tick();
		expect(idsOf(workflow.items, 'audienceSessionId')).toEqual(
			idsOf(sessions, 'audienceSessionId'),
		);
	});

	it('begins anew after a rename, as n8n files it under the name', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.activate();
		workflow.name = 'Renamed';
		scene.addSession();
		await workflow.activate('update');
		expect(workflow.items).toEqual([]);
		scene.addSession();
		await workflow.tick();
		expect(workflow.items).toHaveLength(1);
	});

	it.each([[{ version: 2 }], [{ version: 1, scope: 7 }], ['nonsense'], [null]])(
		'that cannot be read (%j) takes a new snapshot',
		async (state) => {
			const workflow = scene.poll({ event: 'newSession' });
			workflow.staticData = { [`node:${workflow.name}`]: { state } };
			scene.addSession();
			await workflow.activate();
			scene.addSession();
			await workflow.tick();
			expect(workflow.items).toHaveLength(1);
		},
	);
});
