import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { runOnFakeClock } from '../clock.mts';
import {
	anyCommand,
	type Command,
	concurrentCommand,
	publish,
	unpublish,
} from './model/commands.mts';
import {
	allKinds,
	isForeign,
	type ModelWorkflow,
	type PublishingEngine,
	type Subscription,
	TriggerHistory,
} from './model/history.mts';

/*
 * Random histories of two workflows with the webhook trigger, and of the two subscriptions that they take and give back:
 * people publish, test and edit, n8n is killed, the service fails. Read them in this order:
 *
 * - `model/history.mts`: one history. It has the model of the service, which writes URLs in its own way, and `expected`: how the last foreign owner left each subscription, which is all that a test needs to know.
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
	engine: fc.constantFrom<PublishingEngine>('new', 'older'),
	rules: fc.record({ canStay: fc.boolean(), losesData: fc.boolean() }),
	/** In which the workflows end. */
	order: fc.shuffledSubarray([0, 1], { minLength: 2 }),
});
type Beginning = typeof start extends fc.Arbitrary<infer T> ? T : never;
const historyOf = (commands: Array<fc.Arbitrary<Command>>, maxCommands: number) =>
	fc.commands(commands, { maxCommands, size: 'max' });

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
			for (const [id, expected] of history.expected) {
				const end = history.get(id);
				const earlier = (history.earlier.get(id) ?? []).map(loosen);
				expect(earlier).toContainEqual(loosen(expected));
				if (!history.lost.has(id)) expect(loosen(end)).toEqual(loosen(expected));
				else if (!isForeign(end.url)) {
					expect(end.active).toBe(false);
					expect(history.n8n.log.join()).toContain(`${id}: its original settings are unknown`);
				}
				// Or static data had an older state.
				else expect(earlier).toContainEqual(loosen(end));
			}
		} finally {
			history.close();
		}
	};
	await runOnFakeClock(work, { mostMs: 3_600_000 * 24 });
}

/** The service is up again, and all that is published or was left behind is ended: as people do who read the log. */
async function endAll(history: TriggerHistory, order: number[]): Promise<void> {
	history.troubles = [];
	history.kill();
	const workflows = order.map((index) => history.workflows[index]);
	const choose = ({ trigger }: ModelWorkflow, subscriptionId: string) =>
		void (trigger.parameters = { ...trigger.parameters, subscriptionId });
	for (const each of workflows) {
		const { parameters } = each.trigger;
		// What a killed test left is ended by the next one.
		for (const id of each.choices) {
			choose(each, id);
			await history.tell(async () => await each.trigger.listen());
			if (each.trigger.isListening) await each.trigger.endListening();
		}
		each.trigger.parameters = parameters;
	}
	for (const each of workflows) {
		do {
			if (each.isLeft) await publish(history, each);
			await unpublish(history, each);
		} while (each.isLeft);
	}
	// What stayed, or was lost while another one was chosen, is given back by publishing and unpublishing with Restore.
	for (const each of workflows) {
		const { trigger, choices } = each;
		for (const id of choices) {
			if (isForeign(history.get(id).url)) continue;
			choose(each, id);
			trigger.parameters = { ...trigger.parameters, options: { takeOver: true } };
			await history.tell(async () => await trigger.publish());
			await history.tell(async () => await trigger.unpublish());
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
	await fc.assert(
		fc.asyncProperty(start, historyOf(anyCommand, 25), async (beginning, commands) => {
			await runHistory(beginning, async (history) => {
				await fc.asyncModelRun(() => ({ model: {}, real: history }), commands);
			});
		}),
		settings,
	);
});

test('the same holds for what happens at once, in whatever order responses arrive', async () => {
	await fc.assert(
		fc.asyncProperty(
			start,
			historyOf(concurrentCommand, 12),
			fc.scheduler(),
			async (beginning, commands, scheduler) => {
				await runHistory(beginning, async (history) => {
					history.isConcurrent = true;
					history.delay = async (what) => await scheduler.schedule(Promise.resolve(), what);
					await fc.scheduledModelRun(scheduler, () => ({ model: {}, real: history }), commands);
					await scheduler.waitFor(history.settle());
					history.delay = async () => await Promise.resolve();
				});
			},
		),
		settings,
	);
});
