import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { runOnFakeClock } from '../clock.mts';
import { anyCommand, concurrentCommand, publish, unpublish } from './model/commands.mts';
import { allKinds, isForeign, type Subscription, TriggerHistory } from './model/history.mts';

/*
 * Random histories of two workflows with the webhook trigger, and of the two subscriptions that they take and give back:
 * people publish, test and edit, n8n is killed, the service fails. Read them in this order:
 *
 * - `model/history.mts`: one history. It has the workflows, the model of the service, which writes URLs in its own way, and
 *   `expected`: how the last foreign owner left each subscription, which is all that a test needs to know.
 * - `model/commands.mts`: what may happen, how often it is drawn, and what must hold right after it.
 * - This file: draws a beginning and a list of commands, runs them, ends everything, and compares each subscription with
 *   `expected`. The second test begins several things at once, and fast-check's scheduler orders the responses.
 * - `trigger.mts` and `fakeN8n.mts`: what n8n does with one trigger, and around all of them. All other tests of the
 *   trigger use these too.
 *
 * What to do when one fails stands in test/generated.mts. `PROPERTY_RUNS=10000 npm test -- engine/trigger/model` runs ten
 * thousand histories.
 */

const settings = generated(160);
jest.setTimeout(withinMs(settings));

const state: fc.Arbitrary<Subscription> = fc.record({
	url: fc.constantFrom('https://crm.example/in?key=s3cret', 'https://hooks.example/a/b'),
	events: fc.option(fc.uniqueArray(fc.constantFrom(...allKinds), { maxLength: 3 })),
	active: fc.boolean(),
});
const start = fc.record({
	states: fc.tuple(state, state, state, state),
	engine: fc.constantFrom('new' as const, 'older' as const),
	rules: fc.record({ canStay: fc.boolean(), losesData: fc.boolean() }),
	/** In which the workflows end. */
	order: fc.shuffledSubarray([0, 1], { minLength: 2 }),
});
type Beginning = typeof start extends fc.Arbitrary<infer T> ? T : never;
const size = 'max';

/** One history in fake time, without sockets. */
async function runHistory(
	{ states, engine, rules, order }: Beginning,
	run: (history: TriggerHistory) => Promise<void>,
): Promise<void> {
	const work = async () => {
		const history = new TriggerHistory(states, engine, rules);
		try {
			await run(history);
			await history.n8n.settle();
			await endAll(history, order);
			for (const id of history.ids) checkEnd(history, id);
		} finally {
			history.close();
		}
	};
	await runOnFakeClock(work, { mostMs: 3_600_000 * 24 });
}

function checkEnd(history: TriggerHistory, id: string): void {
	const end = history.get(id);
	const expected = loosen(history.expected.get(id)!);
	const earlier = history.earlier.get(id)!.map(loosen);
	expect(earlier).toContainEqual(expected);
	if (!history.lost.has(id)) expect(loosen(end)).toEqual(expected);
	// Or static data had an older state.
	else if (isForeign(end.url)) expect(earlier).toContainEqual(loosen(end));
	else {
		expect(end.active).toBe(false);
		expect(history.n8n.log.join()).toContain(`${id}: its original settings are unknown`);
	}
}

/** The service is up again, and all that is published or was left behind is ended: as people do who read the log. */
async function endAll(history: TriggerHistory, order: number[]): Promise<void> {
	history.troubles = [];
	history.kill();
	const workflows = order.map((index) => history.workflows[index]);
	for (const each of workflows) {
		const { parameters } = each;
		// What a killed test left is ended by the next one.
		for (const subscriptionId of each.choices) {
			each.change({ subscriptionId });
			await history.tell(each.listen());
			if (each.isListening) await each.endListening();
		}
		each.parameters = parameters;
	}
	for (const each of workflows) {
		do {
			if (each.isLeft) await publish(history, each);
			await unpublish(history, each);
		} while (each.isLeft);
	}
	// What stayed, or was lost while another one was chosen, is given back by publishing and unpublishing with Restore.
	for (const each of workflows) {
		for (const subscriptionId of each.choices) {
			if (isForeign(history.get(subscriptionId).url)) continue;
			each.change({ subscriptionId, options: { takeOver: true } });
			await history.tell(each.publish());
			await history.tell(each.unpublish());
		}
	}
}

/** As the rules of the service's writing leave it. */
function loosen({ url, events, active }: Subscription): object {
	const { host, pathname, search } = new URL(url);
	const path = pathname.replace(/\/+$/, '');
	return {
		url: (host + path + search).toLowerCase(),
		// A null list is restored as all kinds.
		events: [...new Set(events ?? allKinds)].sort(),
		active,
	};
}

test('after every history each subscription is as its last foreign owner left it', async () => {
	const all = fc.commands(anyCommand, { maxCommands: 25, size });
	const holds = fc.asyncProperty(start, all, async (beginning, commands) => {
		await runHistory(beginning, async (real) => {
			await fc.asyncModelRun(() => ({ model: {}, real }), commands);
		});
	});
	await fc.assert(holds, settings);
});

test('the same holds for what happens at once, in whatever order responses arrive', async () => {
	const all = fc.commands(concurrentCommand, { maxCommands: 12, size });
	const holds = fc.asyncProperty(start, all, fc.scheduler(), async (beginning, commands, order) => {
		await runHistory(beginning, async (real) => {
			real.isConcurrent = true;
			real.delay = async (what) => await order.schedule(Promise.resolve(), what);
			await fc.scheduledModelRun(order, () => ({ model: {}, real }), commands);
			await order.waitFor(real.settle());
			real.delay = async () => await Promise.resolve();
		});
	});
	await fc.assert(holds, settings);
});
