import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { claimDelivery } from '../../../nodes/PageAudienceTrigger/delivery/duplicates.ts';
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
	/** @returns what became of an equal one, and how it ends */
	return (key = 'key') => {
		const response = Object.assign(new EventEmitter(), { statusCode: 200, headersSent: false });
		responses.push(new WeakRef(response));
		const context: object = { getResponseObject: () => response };
		const earlier = claimDelivery(context as IWebhookFunctions, id, key);
		const end = (fate: Fate) => {
			response.headersSent = true;
			if (typeof fate !== 'number') {
				response.emit('close');
				// A response without a connection is never finished.
				if (isFailure(fate)) response.statusCode = 500;
				return;
			}
			response.statusCode = fate;
			response.emit('finish');
		};
		return { earlier, end };
	};
}

const at = (minutes: number) => jest.spyOn(performance, 'now').mockReturnValue(minutes * 60_000);
afterEach(() => jest.restoreAllMocks());

test('one that n8n does not respond to for six minutes counts as taken, until it fails', () => {
	const deliver = makeTrigger();
	at(1);
	// Stopped in n8n's queue, it never gets a response.
	const first = deliver();
	at(6.9);
	expect(deliver().earlier).toBe('pending');
	at(7);
	expect(deliver().earlier).toBe('taken');
	first.end(500);
	expect([deliver(), deliver()].map(({ earlier }) => earlier)).toEqual([undefined, 'pending']);
});

test('each trigger and each key has its own, for 24 hours', () => {
	const [one, other] = [makeTrigger(), makeTrigger()];
	at(60);
	for (const each of [one(), one('other key'), other()]) {
		expect(each.earlier).toBeUndefined();
		each.end(200);
	}
	expect(one().earlier).toBe('taken');
	at(24.9 * 60);
	expect(one().earlier).toBe('taken');
	at(25 * 60);
	expect(one().earlier).toBeUndefined();
});

test('the last thousand keys of a trigger are known', () => {
	const deliver = makeTrigger();
	for (let n = 0; n <= 1_000; n++) deliver(String(n)).end(200);
	expect(deliver('1').earlier).toBe('taken');
	expect(deliver('0').earlier).toBeUndefined();
});

test('a response that was sent leaves the memory, with its request', async () => {
	responses = [];
	const deliver = makeTrigger();
	for (const fate of [200, 500]) deliver(String(fate)).end(fate);
	expect(responses).toHaveLength(2);
	expect(await listKept(responses)).toEqual([]);
	expect(deliver('200').earlier).toBe('taken');
	expect(deliver('500').earlier).toBeUndefined();
});

// With N8N_CONCURRENCY_PRODUCTION_LIMIT, n8n responds only when the execution may start.
test('in any order of equal deliveries: one is dropped only after another one has started, and none starts beside it', () => {
	const all: Fate[] = [200, 399, 400, 500, 'closes', 'closes, then fails'];
	// Each delivery arrives at its first step, and ends at its second.
	const scenario = fc
		.array(fc.constantFrom(...all), { minLength: 2, maxLength: 5 })
		.chain((fates) => {
			const steps = [...fates.keys(), ...fates.keys()];
			return fc.tuple(fc.constant(fates), fc.shuffledSubarray(steps, { minLength: steps.length }));
		});
	fc.assert(
		fc.property(scenario, ([fates, steps]) => {
			const deliver = makeTrigger();
			const deliveries: Array<ReturnType<typeof deliver> | undefined> = [];
			/** The one that starts the workflow, or has started it. */
			let first: number | undefined;
			let hasStarted = false;
			const expected = () => (first === undefined ? undefined : hasStarted ? 'taken' : 'pending');
			for (const step of steps) {
				const begun = deliveries[step];
				if (begun) {
					begun.end(fates[step]);
					if (first !== step) continue;
					hasStarted = !isFailure(fates[step]);
					if (!hasStarted) first = undefined;
					continue;
				}
				const earlier = expected();
				deliveries[step] = deliver();
				expect(deliveries[step].earlier).toBe(earlier);
				first ??= step;
			}
			expect(deliver().earlier).toBe(expected());
		}),
		generated(1_000),
	);
});
