import fc from 'fast-check';
import { eventKinds } from '../../../sandbox/index.mts';
import { generated, withinMs } from '../../generated.mts';
import { pagesOption, setUpScene } from './scene.mts';

/*
 * Which events of a delivery start the workflow, and by which output they leave, for all settings at once: compared with
 * what the settings promise, told from how each event was made.
 */

const scene = setUpScene();

/** In the order of the outputs. */
const allKinds = [...eventKinds].sort();
const allPages = ['page_1', 'page_2', 'page_3'];

/** An event, and what it says of itself. `test/unit/trigger/pages.test.mts` has all ways to name pages. */
const event = fc
	.record({
		kind: fc.option(fc.constantFrom(...allKinds), { nil: undefined }),
		pages: fc.subarray(allPages),
		n: fc.nat(),
	})
	.map(({ kind, pages, n }) => {
		const json = { ...(kind ? { type: kind } : {}), n, data: { pageIds: pages } };
		return { kind, pages, json };
	});
const nothing = fc
	.constantFrom<unknown>('text', 7, null, [], [1])
	.map((json) => ({ kind: undefined, pages: [] as string[], json }));
type Event = { kind?: string; pages: string[]; json: unknown };

const anyDelivery = fc.oneof(
	fc.record({
		isList: fc.constant(true),
		events: fc.array(fc.oneof({ weight: 5, arbitrary: event }, nothing), {
			minLength: 1,
			maxLength: 6,
		}),
	}),
	fc.record({ isList: fc.constant(false), events: fc.tuple(event) }),
);

const settings = fc.record({
	events: fc.shuffledSubarray(allKinds, { minLength: 1 }),
	pages: fc.shuffledSubarray(allPages),
	outputs: fc.constantFrom('one' as const, 'perEvent' as const),
	output: fc.constantFrom('payload', 'details'),
});

const runs = generated(500);
test(
	'the chosen events leave by their outputs',
	async () => {
		const { host } = scene;
		const { trigger, url } = await scene.published();
		const seen = { nothing: 0, some: 0, divided: 0, everything: 0 };
		await fc.assert(
			fc.asyncProperty(
				settings,
				anyDelivery,
				async ({ events, pages, outputs, output }, delivery) => {
					const { parameters } = trigger;
					const options = { output, ...(pages.length ? { pages: pagesOption(...pages) } : {}) };
					trigger.published = {
						name: trigger.name,
						parameters: { ...parameters, events, outputs, options },
					};
					const body = delivery.events.map(({ json }) => json);
					const sent = JSON.stringify(delivery.isList ? body : body[0]);
					host.executions.length = 0;
					const { status, body: response } = await host.deliver(url, sent);
					const isKind = ({ kind }: Event) => !kind || events.some((each) => each === kind);
					const isPage = (each: Event) =>
						pages.length === 0 ||
						each.pages.length === 0 ||
						each.pages.some((id) => pages.includes(id));
					const kept = (delivery.events as Event[]).filter((each) => isKind(each) && isPage(each));
					const own = outputs === 'one' ? [] : allKinds.filter((kind) => events.includes(kind));
					const expected = [
						...own.map((kind) => kept.filter((each) => each.kind === kind)),
						kept.filter(({ kind }) => !own.some((each) => each === kind)),
					];

					expect(status).toBe(200);
					expect(JSON.parse(response)).toMatchObject({ started: kept.length > 0 });
					if (kept.length === 0) seen.nothing++;
					else if (kept.length < delivery.events.length) seen.some++;
					else seen.everything++;
					if (kept.length === 0) return expect(host.executions).toEqual([]);
					const [execution] = host.executions;
					const items = execution.outputs.map((each) => each.map(({ json }) => json));
					if (items.filter(({ length }) => length > 0).length > 1) seen.divided++;
					if (output === 'payload') {
						const toJson = ({ json }: Event) =>
							typeof json === 'object' && json !== null && !Array.isArray(json)
								? json
								: { value: json };
						return expect(items).toEqual(expected.map((each) => each.map(toJson)));
					}
					for (const [i, some] of expected.entries()) {
						const contents = some.map(({ json }) => json);
						const kinds = new Set(some.map(({ kind }) => kind ?? null));
						const [eventKind] = kinds.size === 1 ? kinds : [null];
						const details = {
							body: delivery.isList ? contents : contents[0],
							rawBody: sent,
							eventKind,
						};
						expect(items[i]).toMatchObject(some.length > 0 ? [details] : []);
						expect(items[i]).toHaveLength(some.length > 0 ? 1 : 0);
					}
					const keys = items.flat().map(({ deliveryKey }) => deliveryKey);
					expect(new Set(keys).size).toBe(keys.length);
				},
			),
			runs,
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs.numRuns / 20);
	},
	withinMs(runs),
);

const notChosen = { started: false, reason: 'This page was not chosen' };

test('an event of another page is not remembered as delivered', async () => {
	const options = { pages: pagesOption('page_1'), duplicates: 'drop' };
	const { trigger, url } = await scene.published(options);
	expect((await scene.send(url, { pageId: 'page_2' })).data).toEqual(notChosen);
	trigger.parameters.options = { ...options, pages: pagesOption('page_2') };
	await trigger.publish();
	expect((await scene.send(url, { pageId: 'page_2' })).data).toEqual({ started: true });
	expect((await scene.send(url, { pageId: 'page_2' })).data.started).toBe(false);
});

test('an expression for the events gives each of them an output', async () => {
	const events = '={{ ["form.submitted", "form.enriched"] }}';
	const { url } = await scene.published({}, { events, outputs: 'perEvent' });
	const failed = await scene.send(url, { type: 'form.enrichment_failed' });
	expect(failed.data).toEqual({ started: false, reason: 'This event was not chosen' });
	await scene.deliver(url, [{ type: 'form.submitted' }, { type: 'form.enriched' }, {}]);
	const [{ outputs }] = scene.host.executions;
	expect(outputs.map((items) => items.length)).toEqual([1, 0, 1, 0, 0, 0, 1]);
});

test('a test run waits for an event of its pages, and beside production has its own', async () => {
	const { subscription, trigger } = await scene.published({ pages: pagesOption('page_1') });
	trigger.parameters.options = { pages: pagesOption('page_2') };
	await trigger.listen();
	expect((await scene.send(subscription.url, { pageId: 'page_1' })).data.started).toBe(true);
	expect(scene.modes).toEqual(['webhook']);
	expect(trigger.isListening).toBe(true);
	expect((await scene.send(subscription.url, { pageId: 'page_2' })).data).toEqual(notChosen);
	expect(scene.modes).toEqual(['webhook', 'manual']);
	expect(trigger.isListening).toBe(false);
});
