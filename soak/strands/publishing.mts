import type { EventKind, WebhookSubscription } from '../../sandbox/index.mts';
import { eventKinds } from '../../sandbox/index.mts';
import type { LiveTrigger } from '../../test/e2e/trigger/liveTrigger.mts';
import type { Pace } from '../pace.mts';
import type { World } from '../world.mts';
import type { Outcome, Strand } from './strand.mts';

type State = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;
const stateOf = ({ url, events, active }: State): State => ({ url, events, active });

const atOnce = 16;
/** A workflow is published so often, and then deleted. */
const lifetime = 5;

/** Workflows are published and unpublished, and the owners of the subscriptions edit them in between. */
export async function publishing(world: World, pace: Pace, count: number): Promise<Strand> {
	const { stage, randomness } = world;
	const counts = {
		'published and unpublished': 0,
		'edits by the owner': 0,
		'edits of a published workflow': 0,
		'workflows deleted': 0,
		disturbed: 0,
		'made inactive after a kill': 0,
	};
	const violations: string[] = [];
	const times: number[] = [];
	let begun = 0;
	let edits = 0;

	const progress = (): number => Math.min(1, counts['published and unpublished'] / count);
	const pickKinds = (): EventKind[] => {
		const first = randomness.between(0, eventKinds.length - 1);
		return eventKinds.slice(first, first + 2);
	};

	/** The owner points the subscription somewhere else. */
	function edit(subscription: WebhookSubscription): State {
		const url = `https://example.com/hook${++edits}?secret=s${edits}`;
		Object.assign(subscription, { url, events: pickKinds(), active: randomness.chance(0.5) });
		return stateOf(subscription);
	}

	async function work(): Promise<void> {
		const subscription = stage.subscription();
		let expected = edit(subscription);
		let trigger: LiveTrigger | undefined;
		for (let turn = 1; begun < count; turn++) {
			await pace.keep({ progress });
			if (begun === count) break;
			begun++;
			if (randomness.chance(0.3)) {
				expected = edit(subscription);
				counts['edits by the owner']++;
			}
			const used: LiveTrigger = (trigger ??= await world.insist(
				async () => await stage.trigger(subscription, { takeOver: true }),
			));
			const startedAt = performance.now();
			const { epoch } = world;
			const done = await world.try(async () => {
				await used.publish();
				if (!subscription.active || !subscription.url.startsWith(used.productionUrl))
					violations.push(`published, but it delivers to ${subscription.url}`);
				if (randomness.chance(0.2)) {
					await used.change({ events: pickKinds() });
					await used.publish();
					counts['edits of a published workflow']++;
				}
				if (randomness.chance(0.15)) {
					expected = edit(subscription);
					counts['edits by the owner']++;
				}
				await used.unpublish();
			});
			counts['published and unpublished']++;
			if ('value' in done) times.push(performance.now() - startedAt);
			else await repair(used);
			const isLeft = check(subscription, expected, world.epoch !== epoch);
			// The owner has to repair it.
			if (!isLeft) expected = edit(subscription);
			if (turn % lifetime === 0) {
				await world.insist(async () => await used.delete());
				trigger = undefined;
				counts['workflows deleted']++;
			}
		}
		if (trigger) await world.insist(async () => await trigger?.delete());
		check(subscription, expected, false);
	}

	/** What the documentation says to do after n8n or the service was away. */
	async function repair(trigger: LiveTrigger): Promise<void> {
		counts.disturbed++;
		await world.insist(async () => {
			await trigger.publish();
			await trigger.unpublish();
		});
	}

	/** @returns whether the subscription is as its owner left it */
	function check(subscription: WebhookSubscription, expected: State, hasEnded: boolean): boolean {
		const state = stateOf(subscription);
		if (JSON.stringify(state) === JSON.stringify(expected)) return true;
		const isOfTrigger = state.url.startsWith(stage.webhookUrl);
		// n8n ended between the change and the saving of what was there before: documented.
		if (hasEnded && isOfTrigger && !state.active) counts['made inactive after a kill']++;
		else violations.push(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(state)}`);
		return false;
	}

	return {
		progress,
		run: async () => void (await Promise.all(Array.from({ length: atOnce }, work))),
		judge: (): Outcome => ({ counts, violations, times }),
	};
}
