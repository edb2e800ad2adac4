import { sleep } from 'n8n-workflow';
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

const tooLong = 'The test ended before the whole list was read';
const noResponse = 'The service took longer to respond than a poll may take';
/** Of 80 records, ten to a page, there is time for some. */
const slowMs = 9_000;
const never = 20 * minuteMs;

const fetchIds = async ({ workflow }: PollingSetup) => (await workflow.fetchTestEvent()).map(idOf);
const newest = (count: number) => Array.from({ length: count }, (_, n) => `record ${79 - n}`);

test.each(['newSession', 'changedPerson', 'accountActivity'])(
	'the ten newest records are returned, the newest first, and nothing is noted (%s)',
	async (event) => {
		const setup = open({ event });
		setup.addMany(80);
		setup.service.isShuffled = true;
		const { workflow } = setup;
		const items = await workflow.fetchTestEvent();
		expect(items.map(idOf)).toEqual(newest(10));
		expect(items[0]).not.toHaveProperty('changedFields');
		expect(workflow.staticData).toEqual({});
		await workflow.activate();
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

test.each([
	['of the look-back', 20, [49, 19], ['record of 19']],
	['of the last 30 days', 30, [31 * 24, 29 * 24], [`record of ${29 * 24}`]],
	['of all times', 30, [32 * 24, 31 * 24], [`record of ${31 * 24}`, `record of ${32 * 24}`]],
])('sessions %s are returned where there are none of a shorter time', async (...row) => {
	const [, lookBackHours, hours, ids] = row;
	const setup = open({ event: 'newSession', options: { lookBackHours } });
	for (const each of hours) setup.add(`record of ${each}`, { at: startOfTime - each * hourMs });
	expect(await fetchIds(setup)).toEqual(ids);
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

describe('of a list that takes longer than a minute', () => {
	test('the newest of the part that was read are returned, and the log says so', async () => {
		const setup = open({ event: 'newSession' });
		setup.addMany(80);
		setup.respondAfter(slowMs);
		const ids = await fetchIds(setup);
		expect(Date.now() - startOfTime).toBeLessThanOrEqual(minuteMs);
		// The oldest come first.
		const read = Number(String(ids[0]).split(' ')[1]) + 1;
		expect(read).toBeGreaterThan(10);
		expect(read).toBeLessThan(80);
		expect(ids).toEqual(newest(80).slice(80 - read, 90 - read));
		expect(setup.workflow.log).toEqual([
			`Page Audience Polling Trigger: ${tooLong}. The test event may not be the newest.`,
		]);
	});

	test('it is not said that there are none', async () => {
		const setup = open({ event: 'formSubmission' });
		setup.addMany(80);
		setup.respondAfter(slowMs);
		await expect(fetchIds(setup)).rejects.toMatchObject({
			message: tooLong,
			description:
				'The part that was read has no form submissions. Submit the form of the page, then fetch again. If that finds none, set Options > Look Back (Hours) to a smaller number.',
		});
		expect(setup.workflow.log).toEqual([]);
	});

	test('the newest of all pages that were read are returned', async () => {
		const setup = open({ event: 'newSession', options: morePages('page_2') });
		for (const [hours, page] of [[4, 'page_2'], [3], [2, 'page_2'], [1]] as const)
			setup.add(`${hours}`, { at: startOfTime - hours * hourMs, page });
		expect(await fetchIds(setup)).toEqual(['1', '2', '3', '4']);
		expect(setup.workflow.log).toEqual([]);
		setup.respondAfter(never, /page_2/);
		expect(await fetchIds(setup)).toEqual(['1', '3']);
		expect(setup.workflow.log).toHaveLength(1);
		setup.respondAfter(never, /page_1/);
		// No poll follows a test.
		await expect(fetchIds(setup)).rejects.toMatchObject({
			message: noResponse,
			description: 'The next poll, or another test, tries again.',
		});
		setup.respond({ status: 404, body: 'no' }, /page_2/);
		await expect(fetchIds(setup)).rejects.toThrow('Page "page_2" was not found (404)');
	});

	test('there is time left for the interactions', async () => {
		const options = { includeInteractions: true, concurrency: 1 };
		const setup = open({ event: 'newSession', options });
		setup.addMany(80);
		// One request of the list hangs.
		setup.service.onRequest = async ({ query }) => {
			await sleep(query.cursor === undefined ? 2_000 : never);
			return undefined;
		};
		const items = await setup.workflow.fetchTestEvent();
		expect(items).toMatchObject(Array(10).fill({ interactionsFound: true }));
		expect(Date.now() - startOfTime).toBeLessThanOrEqual(minuteMs);
		setup.respondAfter(never, /interactions$/);
		await expect(fetchIds(setup)).rejects.toThrow(noResponse);
	});
});
