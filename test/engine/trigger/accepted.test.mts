import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import type { Response } from './host.mts';
import { setUpScene } from './scene.mts';

/*
 * With Duplicates: Drop, an event must start the workflow although n8n could not create the execution at first. So a
 * delivery is forgotten if n8n responds that it failed. If the service gives up earlier, n8n still creates the execution.
 */

const scene = setUpScene();

const started = { started: true };
const duplicate = { started: false, reason: 'This is a duplicate' };

async function publish() {
	const trigger = scene.trigger(scene.subscription({ active: false }), {
		options: { duplicates: 'drop' },
	});
	await trigger.publish();
	return scene.subscription().url;
}

/** How n8n ends a delivery for which the trigger started the workflow. */
type Fate = number | 'closes';

const isFailure = (fate: Fate) => fate !== 'closes' && fate >= 400;

/** One delivery, which n8n ends when it is told to. */
class Delivery {
	response?: Response;
	answer?: { status: number; said: unknown };
	readonly arrival: Promise<void>;
	end: () => void = () => {};
	readonly fate: Fate;
	/** Before n8n responded. */
	isClosed = false;

	constructor(
		url: string,
		body: unknown,
		fate: Fate,
		gates: Map<string, Promise<number>>,
		number: number,
	) {
		this.fate = fate;
		gates.set(
			String(number),
			new Promise((resolve) => (this.end = () => resolve(fate === 'closes' ? 200 : fate))),
		);
		const { pathname, search } = new URL(url);
		this.arrival = scene.host
			.handle({
				method: 'POST',
				url: pathname + search,
				headers: { 'content-type': 'application/json', 'x-number': String(number) },
				body: Buffer.from(JSON.stringify(body)),
				onResponse: (response) => (this.response = response),
			})
			.then(({ status, body: text }) => {
				this.answer = {
					status: this.isClosed ? 0 : status,
					said: text && (JSON.parse(text) as unknown),
				};
			});
	}

	/** n8n responds, or the service closes the connection. */
	finish(): void {
		if (this.fate === 'closes') {
			this.isClosed = !this.response?.writableEnded;
			this.response?.close();
		}
		this.end();
	}
}

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

let lastEvent = 0;

/** Plays deliveries of one event. Each step lets one of them arrive, or end. */
async function play(url: string, fates: Fate[], steps: number[]) {
	const gates = new Map<string, Promise<number>>();
	scene.host.createExecution = async ({ headers }) =>
		await (gates.get(String(headers['x-number'])) ?? 200);
	const body = { event: 'form.submitted', n: ++lastEvent };
	const deliveries: Delivery[] = [];
	const before = scene.host.executions.length;
	for (const step of steps) {
		if (deliveries[step]) deliveries[step].finish();
		else deliveries[step] = new Delivery(url, body, fates[step], gates, step);
		await turn();
		await turn();
	}
	await Promise.all(deliveries.map(async ({ arrival }) => await arrival));
	await scene.host.settle();
	await turn();
	scene.host.createExecution = undefined;
	return {
		body,
		answers: deliveries.map(({ answer }) => answer),
		executions: scene.host.executions.length - before,
	};
}

test.each([500, 400])('an event is not forgotten when n8n responds %d', async (fate) => {
	const url = await publish();
	const { body } = await play(url, [fate], [0, 0]);
	const again = await scene.send(url, body);
	expect([again.status, again.data]).toEqual([200, started]);
	expect((await scene.send(url, body)).data).toEqual(duplicate);
});

test('each event starts once where n8n runs one execution at a time, and the service resends what gets no response', async () => {
	const url = await publish();
	const { body, executions } = await play(url, ['closes', 200, 'closes'], [0, 0, 1, 2, 1, 2]);
	expect(executions).toBe(1);
	expect((await scene.send(url, body)).data).toEqual(duplicate);
});

const config = generated(400);
test(
	'in any order of equal deliveries: one is dropped only while, or after, another one starts',
	async () => {
		const url = await publish();
		const fate: fc.Arbitrary<Fate> = fc.oneof(
			fc.constantFrom<Fate[]>(200, 200, 500, 'closes'),
			fc.integer({ min: 400, max: 599 }),
		);
		const scenario = fc.integer({ min: 2, max: 5 }).chain((count) =>
			fc.record({
				fates: fc.array(fate, { minLength: count, maxLength: count }),
				steps: fc.shuffledSubarray(
					Array.from({ length: count * 2 }, (_, n) => n % count),
					{ minLength: count * 2 },
				),
			}),
		);
		const seen = { accepted: 0, failed: 0, dropped: 0 };
		await fc.assert(
			fc.asyncProperty(scenario, async ({ fates, steps }) => {
				const { body, executions } = await play(url, fates, steps);
				// The delivery that counts as the first one.
				let first: number | undefined;
				let expected = 0;
				const arrived = new Set<number>();
				for (const step of steps) {
					if (!arrived.has(step)) {
						arrived.add(step);
						if (first === undefined) first = step;
						else seen.dropped++;
						if (first === step && !isFailure(fates[step])) expected++;
					} else if (first === step && isFailure(fates[step])) first = undefined;
				}
				expect(executions).toBe(expected);
				// The service sends it once more.
				const again = await scene.send(url, body);
				expect(again.data).toEqual(first === undefined ? started : duplicate);
				expect((await scene.send(url, body)).data).toEqual(duplicate);
				seen[first === undefined ? 'failed' : 'accepted']++;
			}),
			config,
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(config.numRuns / 60);
	},
	withinMs(config),
);
