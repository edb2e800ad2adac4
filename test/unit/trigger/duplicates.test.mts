import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { isDuplicate } from '../../../nodes/PageAudienceTrigger/delivery/duplicates.ts';
import { listKept } from '../../garbage.mts';
import { generated } from '../../generated.mts';

/** How n8n responds to a delivery. The service may close the connection before: n8n still creates the execution, or fails to. */
type Fate = number | 'closes' | 'closes, then fails';

const isFailure = (fate: Fate) => (typeof fate === 'number' ? fate >= 400 : fate !== 'closes');

let triggers = 0;
/** All that were given. */
let responses: Array<WeakRef<object>> = [];

/** A trigger that nothing was delivered to yet. */
function makeTrigger() {
	const id = `trigger ${++triggers}`;
	/** @returns whether it is a duplicate, and how it ends */
	return (key = 'key') => {
		const response = Object.assign(new EventEmitter(), { statusCode: 200 });
		responses.push(new WeakRef(response));
		const context: object = { getResponseObject: () => response };
		const dropped = isDuplicate(context as IWebhookFunctions, id, key);
		const end = (fate: Fate) => {
			if (typeof fate !== 'number') {
				response.emit('close');
				// A response without a connection is never finished.
				if (isFailure(fate)) response.statusCode = 500;
				return;
			}
			response.statusCode = fate;
			response.emit('finish');
		};
		return { isDuplicate: dropped, end };
	};
}

test.each<[Fate, boolean]>([
	[200, true],
	[399, true],
	[400, false],
	[500, false],
	// With N8N_CONCURRENCY_PRODUCTION_LIMIT, n8n responds only when the execution may start.
	['closes', true],
	['closes, then fails', false],
])('after a delivery that ends with %s, the next is a duplicate: %s', (fate, isDuplicate) => {
	const deliver = makeTrigger();
	deliver().end(fate);
	expect(deliver().isDuplicate).toBe(isDuplicate);
});

test('each trigger and each key has its own, for 24 hours', () => {
	const [one, other] = [makeTrigger(), makeTrigger()];
	const now = jest.spyOn(performance, 'now');
	const at = (hours: number) => now.mockReturnValue(hours * 3_600_000);
	at(1);
	expect([one(), one('other key'), other(), one()].map((each) => each.isDuplicate)).toEqual([
		...[false, false, false, true],
	]);
	at(24.9);
	expect(one().isDuplicate).toBe(true);
	at(25);
	expect(one().isDuplicate).toBe(false);
	now.mockRestore();
});

test('the last thousand keys of a trigger are known', () => {
	const deliver = makeTrigger();
	for (let n = 0; n <= 1_000; n++) deliver(String(n));
	expect(deliver('1').isDuplicate).toBe(true);
	expect(deliver('0').isDuplicate).toBe(false);
});

test('a response that was sent leaves the memory, with its request', async () => {
	responses = [];
	const deliver = makeTrigger();
	for (const fate of [200, 500]) deliver(String(fate)).end(fate);
	expect(responses).toHaveLength(2);
	expect(await listKept(responses)).toEqual([]);
	expect([deliver('200'), deliver('500')].map((each) => each.isDuplicate)).toEqual([true, false]);
});

test('in any order of equal deliveries: one is dropped only while, or after, another one starts', () => {
	const fate: fc.Arbitrary<Fate> = fc.constantFrom(
		...([200, 200, 500, 404, 'closes', 'closes, then fails'] as const),
	);
	// Each delivery arrives at its first step, and ends at its second.
	const scenario = fc.array(fate, { minLength: 2, maxLength: 5 }).chain((fates) => {
		const steps = [...fates.keys(), ...fates.keys()];
		return fc.record({
			fates: fc.constant(fates),
			steps: fc.shuffledSubarray(steps, { minLength: steps.length }),
		});
	});
	fc.assert(
		fc.property(scenario, ({ fates, steps }) => {
			const deliver = makeTrigger();
			const deliveries: Array<ReturnType<typeof deliver> | undefined> = [];
			/** The one that starts the workflow, or has started it. */
			let first: number | undefined;
			for (const step of steps) {
				const begun = deliveries[step];
				if (begun) {
					begun.end(fates[step]);
					if (first === step && isFailure(fates[step])) first = undefined;
					continue;
				}
				deliveries[step] = deliver();
				expect(deliveries[step].isDuplicate).toBe(first !== undefined);
				first ??= step;
			}
			expect(deliver().isDuplicate).toBe(first !== undefined);
		}),
		generated(1_000),
	);
});
