import { startOfTime } from '../clock.mts';
import {
	hourMs,
	idOf,
	minuteMs,
	morePages,
	type PollingSetup,
	setUpPolling,
} from './pollingSetup.mts';

const open = setUpPolling();

const fetchIds = async ({ workflow }: PollingSetup) => (await workflow.fetchTestEvent()).map(idOf);

test.each(['newSession', 'changedPerson', 'accountActivity'])(
	'the ten newest records of the first page are returned, the newest first, and nothing is noted (%s)',
	async (event) => {
		const setup = open({ event });
		setup.addMany(80);
		setup.service.isShuffled = true;
		setup.service.largestLimit = 1_000;
		const { workflow } = setup;
		const items = await workflow.fetchTestEvent();
		expect(items.map(idOf)).toEqual(Array.from({ length: 10 }, (_, n) => `record ${79 - n}`));
		expect(items[0]).not.toHaveProperty('changedFields');
		expect(workflow.staticData).toEqual({});
		await setup.publish();
		setup.add('new');
		await workflow.fetchTestEvent();
		await setup.poll();
		expect(setup.ids).toEqual(['new']);
	},
);

test('only sessions with a submission are returned for one, with their interactions', async () => {
	const options = { includeInteractions: true };
	const setup = open({ event: 'formSubmission', options });
	setup.add('visit');
	for (const form of ['form 1', '']) setup.add(`with ${form}`, { form });
	const items = await setup.workflow.fetchTestEvent();
	expect(items.map(idOf)).toEqual(['with form 1', 'with ']);
	expect(items).toMatchObject(Array(2).fill({ interactions: [], interactionsFound: true }));
});

type Aged = [hours: number, page?: string];

test.each<[what: string, lookBackHours: number, sessions: Aged[], hours: number[]]>([
	['of the look-back', 20, [[49], [19]], [19]],
	['of the last 30 days, where the look-back has none', 30, [[31 * 24], [29 * 24]], [29 * 24]],
	[
		'of all times, where the last 30 days have none',
		30,
		[[32 * 24], [31 * 24]],
		[31 * 24, 32 * 24],
	],
	['of all pages', 30, [[4, 'page_2'], [3], [2, 'page_2'], [1]], [1, 2, 3, 4]],
])('the newest sessions are returned: %s', async (_, lookBackHours, sessions, hours) => {
	const options = { lookBackHours, ...morePages('page_2') };
	const setup = open({ event: 'newSession', options });
	for (const [age, page] of sessions) setup.add(`${age}`, { at: startOfTime - age * hourMs, page });
	expect(await fetchIds(setup)).toEqual(hours.map(String));
});

test.each([
	['formSubmission', 'No form submissions found', 'Submit the form of the page, then fetch again.'],
	['accountActivity', 'No activity of this account found', 'Create an entry with Person Log'],
	['newPerson', 'No people found', 'Create a person with Person > Create'],
	['newSession', 'No sessions found', 'A session appears when someone visits the page.'],
])('nothing is said to be there, and how to get one (%s)', async (event, message, advice) => {
	const setup = open({ event });
	const description = expect.stringContaining(advice) as string;
	await expect(fetchIds(setup)).rejects.toMatchObject({ message, description });
	setup.respond({ status: 401, body: 'no' });
	await expect(fetchIds(setup)).rejects.toThrow('The API key was rejected (401)');
});

test('no further page is read once there are ten', async () => {
	const setup = open({ event: 'formSubmission' });
	setup.addMany(40);
	setup.service.facts.forEach(({ contents: [content] }, n) => (content.form = n % 2 ? 'a' : null));
	expect(await fetchIds(setup)).toHaveLength(10);
	const countOf = (list: RegExp) => setup.requests.filter(({ path }) => list.test(path)).length;
	// Two of them ask for more than the service lists at once.
	expect([countOf(/sessions$/), countOf(/interactions$/)]).toEqual([4, 10]);
});

test.each([/audience_sessions$/, /interactions$/])(
	'a service that does not respond in a minute is told (%s)',
	async (path) => {
		const options = { includeInteractions: true };
		const setup = open({ event: 'newSession', options });
		setup.addMany(20);
		setup.respondAfter(20 * minuteMs, path);
		// No poll follows a test.
		await expect(fetchIds(setup)).rejects.toMatchObject({
			message: 'The service took longer to respond than a poll may take',
			description: 'The next poll, or another test, tries again.',
		});
		expect(Date.now() - startOfTime).toBeLessThanOrEqual(minuteMs);
	},
);
