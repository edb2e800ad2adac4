import fc from 'fast-check';
import { eventKinds } from '../../../sandbox/index.mts';
import { generated, withinMs } from '../../generated.mts';
import { pagesOption, setUpTrigger } from './triggerSetup.mts';

/*
 * Which events of a delivery start the workflow, and by which output they leave, for all settings at once: compared with
 * what the settings promise, told from how each event was made.
 */

const setup = setUpTrigger();

/** In the order of the outputs. */
const allKinds: string[] = [...eventKinds].sort();
const allPages = ['page_1', 'page_2', 'page_3'];

type DeliveredEvent = { kind?: string; pages: string[]; json: unknown };

/** An event, and what it says of itself. `test/unit/trigger/pages.test.mts` has all ways to name pages. */
const event: fc.Arbitrary<DeliveredEvent> = fc
	.tuple(
		fc.option(fc.constantFrom(...allKinds), { nil: undefined }),
		fc.subarray(allPages),
		fc.nat(),
	)
	.map(([kind, pages, n]) => {
		const json = { ...(kind ? { type: kind } : {}), n, data: { pageIds: pages } };
		return { kind, pages, json };
	});
const nothing: fc.Arbitrary<DeliveredEvent> = fc
	.constantFrom<unknown>('text', 7, null, [], [1])
	.map((json) => ({ pages: [], json }));
const anyDelivery = fc.oneof(
	event.map((each) => ({ isList: false, events: [each] })),
	fc
		.array(fc.oneof(event, event, event, nothing), { minLength: 1, maxLength: 6 })
		.map((events) => ({ isList: true, events })),
);

const settings = fc.record({
	events: fc.shuffledSubarray(allKinds, { minLength: 1 }),
	pages: fc.shuffledSubarray(allPages),
	outputPerEvent: fc.boolean(),
});

/** As the payload of an event is output. */
const toJson = ({ json }: DeliveredEvent) =>
	typeof json === 'object' && json !== null && !Array.isArray(json) ? json : { value: json };

const runs = generated(500);
test(
	'the chosen events leave by their outputs',
	async () => {
		const { n8n } = setup;
		const { trigger, url } = await setup.published();
		const seen = { nothing: 0, some: 0, divided: 0, everything: 0 };
		const check = fc.asyncProperty(settings, anyDelivery, async (chosen, { isList, events }) => {
			const { events: chosenKinds, pages, outputPerEvent } = chosen;
			const options = { outputPerEvent, ...(pages.length > 0 && { pages: pagesOption(...pages) }) };
			Object.assign(trigger.published!.parameters, { events: chosenKinds, options });
			const isKind = ({ kind }: DeliveredEvent) => !kind || chosenKinds.includes(kind);
			const isPage = (each: DeliveredEvent) =>
				[pages, each.pages].some(({ length }) => length === 0) ||
				each.pages.some((id) => pages.includes(id));
			const kept = events.filter((each) => isKind(each) && isPage(each));
			const own = outputPerEvent ? allKinds.filter((kind) => chosenKinds.includes(kind)) : [];
			const expected = [
				...own.map((kind) => kept.filter((each) => each.kind === kind)),
				kept.filter(({ kind = '' }) => !own.includes(kind)),
			];
			const body = events.map(({ json }) => json);
			n8n.executions.length = 0;
			const { status, body: response } = await n8n.deliver(url, isList ? body : body[0]);

			expect(status).toBe(200);
			expect(JSON.parse(response)).toMatchObject({ started: kept.length > 0 });
			const isWhole = kept.length === events.length;
			seen[kept.length === 0 ? 'nothing' : isWhole ? 'everything' : 'some']++;
			if (expected.filter(({ length }) => length > 0).length > 1) seen.divided++;
			const items = n8n.executions.map(({ outputs }) =>
				outputs.map((each) => each.map(({ json }) => json)),
			);
			expect(items).toEqual(kept.length > 0 ? [expected.map((each) => each.map(toJson))] : []);
		});
		await fc.assert(check, runs);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs.numRuns / 20);
	},
	withinMs(runs),
);

const notChosen = { started: false, reason: 'This page was not chosen' };

test('an event of another page is not remembered as delivered', async () => {
	const options = { pages: pagesOption('page_1'), ignoreDuplicates: true };
	const { trigger, url } = await setup.published(options);
	expect((await setup.send(url, { pageId: 'page_2' })).data).toEqual(notChosen);
	trigger.parameters.options = { ...options, pages: pagesOption('page_2') };
	await trigger.publish();
	expect((await setup.send(url, { pageId: 'page_2' })).data).toEqual({ started: true });
	expect((await setup.send(url, { pageId: 'page_2' })).data.started).toBe(false);
});

test('an expression for the events gives each of them an output', async () => {
	const events = '={{ ["form.submitted", "form.enriched"] }}';
	const { url } = await setup.published({ outputPerEvent: true }, { events });
	const failed = await setup.send(url, { type: 'form.enrichment_failed' });
	expect(failed.data).toEqual({ started: false, reason: 'This event was not chosen' });
	await setup.deliver(url, [{ type: 'form.submitted' }, { type: 'form.enriched' }, {}]);
	const [{ outputs }] = setup.n8n.executions;
	expect(outputs.map((items) => items.length)).toEqual([1, 0, 1, 0, 0, 0, 1]);
});
