import { openScene } from './scene.mts';

const scene = openScene();

describe('Fetch Test Event', () => {
	it.each([
		['formSubmission', 'audienceSessionId'],
		['newSession', 'audienceSessionId'],
		['changedSession', 'audienceSessionId'],
		['newPerson', 'personId'],
		['changedPerson', 'personId'],
		['accountActivity', 'activityId'],
	])('for %s returns real records, the newest first', async (event, id) => {
		const workflow = scene.poll({ event });
		const items = await workflow.fetchTestEvent();
		expect(items.length).toBeGreaterThan(1);
		const dates = items.map(({ sessionStartedAt, createdAt, updatedAt }) =>
			String(sessionStartedAt ?? (event === 'changedPerson' ? updatedAt : createdAt)),
		);
		expect(dates).toEqual([...dates].sort().reverse());
		expect(new Set(items.map((item) => item[id])).size).toBe(items.length);
	});

	it('for formSubmission returns only sessions with one', async () => {
		const workflow = scene.poll({ event: 'formSubmission', simplify: false });
		const submitted = scene.sandbox.store.sessions
			.of(scene.pageId)
			.filter(({ formSubmissionId }) => formSubmissionId !== '')
			.toSorted((a, b) => b.sessionStartedAt.localeCompare(a.sessionStartedAt));
		const items = await workflow.fetchTestEvent();
		expect(items.map(({ formSubmissionId }) => formSubmissionId)).toEqual(
			submitted.slice(0, 10).map(({ formSubmissionId }) => formSubmissionId),
		);
	});

	it('leaves the state alone', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		await workflow.fetchTestEvent();
		await workflow.activate();
		const { staticData } = workflow;
		const sessions = [scene.addSession(), scene.addSession()];
		expect(await workflow.fetchTestEvent()).toHaveLength(sessions.length);
		expect(workflow.staticData).toBe(staticData);
		await workflow.tick();
		expect(workflow.items).toHaveLength(sessions.length);
	});

	it.each(['oldestFirst', 'newestFirst', 'shuffled'] as const)(
		'returns the newest of a long list that comes %s',
		async (sessionOrder) => {
			Object.assign(scene.sandbox.guesses, { sessionOrder });
			for (let added = 0; added < 1_100; added++) scene.addSession({ hoursAgo: 40 - added / 100 });
			const [first, second] = [2, 1].map((hoursAgo) =>
				scene.addSession({ hoursAgo, isSubmitted: true }),
			);
			const ids = (items: object[]) => items.map((item) => Reflect.get(item, 'audienceSessionId'));
			const sessions = await scene.poll({ event: 'newSession' }).fetchTestEvent();
			expect(ids(sessions.slice(0, 2))).toEqual(ids([second, first]));
			expect(sessions).toHaveLength(10);
			const submissions = await scene.poll({ event: 'formSubmission' }).fetchTestEvent();
			expect(ids(submissions)).toEqual(ids([second, first]));
		},
	);

	it('returns the newest of all people', async () => {
		const people = scene.sandbox.store.addPersons(1_100);
		for (const [number, person] of people.entries())
			person.createdAt = new Date(Date.now() - (1_100 - number) * 1_000).toISOString();
		const items = await scene.poll({ event: 'newPerson' }).fetchTestEvent();
		expect(items.map(({ personId }) => personId)).toEqual(
			people
				.slice(-10)
				.map(({ personId }) => personId)
				.reverse(),
		);
	});

	it('returns the newest of several pages', async () => {
		const [first, second] = scene.sandbox.store.pages.all().map(({ pageId }) => pageId);
		for (let added = 0; added < 6; added++) {
			scene.addSession({ pageId: first, hoursAgo: 40 });
			scene.addSession({ pageId: second, hoursAgo: 1 });
		}
		const options = { morePages: { page: [{ pageId: second }] } } as never;
		const workflow = scene.poll({ event: 'newSession', pageId: first, options });
		const items = await workflow.fetchTestEvent();
		expect(items.map(({ pageId }) => pageId)).toEqual([
			...Array<string>(6).fill(second),
			...Array<string>(4).fill(first),
		]);
	});

	it.each([
		['of the look-back', 20, 49, 19],
		['of the last 30 days', 30, 31 * 24, 29 * 24],
		['of all times', 30, 31 * 24, 31 * 24],
	])(
		'returns the sessions %s where there are none of a shorter time',
		async (_, lookBackHours, ...hours) => {
			const [older, newer] = hours.map((hoursAgo) => scene.addSession({ hoursAgo }));
			const workflow = scene.poll({ event: 'newSession', options: { lookBackHours } });
			const items = await workflow.fetchTestEvent();
			const ids = items.map(({ audienceSessionId }) => audienceSessionId);
			expect(ids.includes(newer.audienceSessionId)).toBe(true);
			expect(ids.includes(older.audienceSessionId)).toBe(hours[0] === hours[1]);
		},
	);

	it('adds interactions', async () => {
		const sessions = [2, 1].map((hoursAgo) => scene.addSession({ hoursAgo }));
		const workflow = scene.poll({
			event: 'newSession',
			options: { includeInteractions: true },
		});
		const items = await workflow.fetchTestEvent();
		expect(items).toMatchObject(
			sessions.reverse().map(({ audienceSessionId }) => ({
				audienceSessionId,
				interactions: [],
				interactionsFound: true,
			})),
		);
	});

	it.each([
		['formSubmission', 'No form submissions found'],
		['accountActivity', 'No activity of this account found'],
		['newPerson', 'No people found'],
	])('for %s says that there is nothing', async (event, message) => {
		const { sessions, activities, persons } = scene.sandbox.store;
		persons.clear();
		for (const session of sessions.of(scene.pageId))
			Object.assign(session, { formSubmissionId: '', hasFormSubmit: false });
		activities.clear();
		await expect(scene.poll({ event }).fetchTestEvent()).rejects.toThrow(message);
	});

	it('says what is wrong', async () => {
		const workflow = scene.poll({ event: 'newSession' });
		workflow.credential = { ...scene.credential, apiKey: 'wrong' };
		await expect(workflow.fetchTestEvent()).rejects.toThrow('The API key was rejected (401)');
	});
});
