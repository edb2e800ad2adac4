import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import type { Response } from './host.mts';
import { setUpScene } from './scene.mts';

/*
 * With Duplicates: Drop, an event must start the workflow although n8n could not create the execution at first. So only
 * a delivery is remembered that n8n has responded to with success.
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

test.each<[what: string, fate: Fate]>([
	['n8n responds 500', 500],
	['n8n responds 400', 400],
	['the connection is closed before the response', 'closes'],
])('an event is not forgotten when %s', async (_, fate) => {
	const url = await publish();
	const { body } = await play(url, [fate], [0, 0]);
	const again = await scene.send(url, body);
	expect([again.status, again.data]).toEqual([200, started]);
	expect((await scene.send(url, body)).data).toEqual(duplicate);
});

test('a delivery waits while an equal one is under way, and takes its place when that fails', async () => {
	const url = await publish();
	const { answers, executions } = await play(url, [503, 200, 200], [0, 1, 2, 0, 1, 2]);
	expect(answers.map((answer) => [answer?.status, answer?.said])).toEqual([
		[503, { message: 'Not created' }],
		[200, started],
		[200, duplicate],
	]);
	expect(executions).toBe(1);
});

test('other events do not wait', async () => {
	const url = await publish();
	let release = () => {};
	const hangs = new Promise<void>((resolve) => (release = resolve));
	scene.host.createExecution = async ({ headers }) => {
		if (headers['x-number'] === '0') await hangs;
		return 200;
	};
	const { pathname, search } = new URL(url);
	let hanging: Response | undefined;
	void scene.host.handle({
		method: 'POST',
		url: pathname + search,
		headers: { 'content-type': 'application/json', 'x-number': '0' },
		body: Buffer.from('{"event":"form.submitted","a":1}'),
		onResponse: (response) => (hanging = response),
	});
	expect((await scene.send(url, { event: 'form.submitted', a: 2 })).data).toEqual(started);
	hanging?.close();
	// Nobody was told that it arrived, so the service sends it again.
	expect((await scene.send(url, { event: 'form.submitted', a: 1 })).data).toEqual(started);
	release();
});

const config = generated(400);
test(
	'in any order of equal deliveries: what failed is never remembered, and what was accepted starts once',
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
		const seen = { accepted: 0, failed: 0, waited: 0 };
		await fc.assert(
			fc.asyncProperty(scenario, async ({ fates, steps }) => {
				const { body, answers, executions } = await play(url, fates, steps);
				const told = answers.map((answer) => JSON.stringify(answer));
				const of = (said: unknown) =>
					told.filter((each) => each === JSON.stringify({ status: 200, said })).length;
				const accepted = of(started);
				const dropped = of(duplicate);
				// At most one is told that it started the workflow, and nothing is dropped but what has started it.
				expect(accepted).toBeLessThanOrEqual(1);
				if (dropped > 0) expect(accepted).toBe(1);
				const closed = answers.filter((answer) => answer?.status === 0).length;
				// n8n may have created the execution of a delivery whose sender did not wait for the response.
				expect(executions).toBeGreaterThanOrEqual(accepted);
				expect(executions).toBeLessThanOrEqual(accepted + closed);
				const failed = answers.filter((answer) => answer && answer.status >= 400).length;
				expect(accepted + dropped + closed + failed).toBe(answers.length);
				// The service sends it once more.
				const again = await scene.send(url, body);
				expect(again.data).toEqual(accepted === 1 ? duplicate : started);
				expect((await scene.send(url, body)).data).toEqual(duplicate);
				seen[accepted === 1 ? 'accepted' : 'failed']++;
				if (accepted === 1 && failed > 0) seen.waited++;
			}),
			config,
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(config.numRuns / 60);
	},
	withinMs(config),
);
