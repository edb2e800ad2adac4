import fc from 'fast-check';
import type { WebhookSubscription } from '../../../sandbox/index.mts';
import { generated } from '../../generated.mts';
import type { LiveTrigger } from './liveTrigger.mts';
import { deliver, Stage } from './stage.mts';
import { waitFor } from '../../waitFor.mts';

/** PROPERTY_RUNS plays as many, without the bound of a minute. */
const settings = generated(16);
const mostMs = process.env.PROPERTY_RUNS === undefined ? 60_000 : Infinity;
jest.setTimeout(120_000 + settings.numRuns * 20_000);

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => await stage.close());

type State = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;
const stateOf = ({ url, events, active }: State): State => ({ url, events, active });

type Step =
	| { do: 'publish' | 'unpublish' | 'test' | 'deliver'; workflow: number }
	| { do: 'edit'; workflow: number; active: boolean };

const workflow = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		do: fc.constantFrom(
			'publish' as const,
			'unpublish' as const,
			'test' as const,
			'deliver' as const,
		),
		workflow,
	}),
	fc.record({ do: fc.constant('edit' as const), workflow, active: fc.boolean() }),
);

let edits = 0;

/** Two workflows in a real n8n, each with its own subscription. */
class History {
	readonly subscriptions: WebhookSubscription[];
	readonly triggers: LiveTrigger[];
	readonly published = new Set<LiveTrigger>();
	/** The workflows from which nobody has taken the subscription since. */
	readonly owners = new Set<LiveTrigger>();
	readonly expected: State[];

	private constructor(subscriptions: WebhookSubscription[], triggers: LiveTrigger[]) {
		this.subscriptions = subscriptions;
		this.triggers = triggers;
		this.expected = subscriptions.map(stateOf);
	}

	static async begin(active: boolean): Promise<History> {
		const subscriptions = [active, !active].map((each) => {
			const url = `https://example.com/first?secret=s${++edits}`;
			return stage.subscription({ url, active: each });
		});
		const triggers = subscriptions.map(
			async (each) => await stage.trigger(each, { takeOver: true }),
		);
		return new History(subscriptions, await Promise.all(triggers));
	}

	async play(step: Step): Promise<void> {
		const trigger = this.triggers[step.workflow];
		const subscription = this.subscriptions[step.workflow];
		if (step.do === 'publish' && !this.published.has(trigger)) {
			await trigger.publish();
			this.published.add(trigger);
			this.owners.add(trigger);
			expect(subscription.url).toContain(trigger.productionUrl);
		}
		if (step.do === 'unpublish' && this.published.delete(trigger)) {
			await trigger.unpublish();
			this.owners.delete(trigger);
		}
		if (step.do === 'test') await this.test(trigger, subscription);
		if (step.do === 'deliver') await this.deliver(trigger, subscription);
		if (step.do === 'edit') {
			const url = `https://example.com/edited?secret=s${++edits}`;
			Object.assign(subscription, { url, active: step.active });
			this.expected[step.workflow] = stateOf(subscription);
			this.owners.delete(trigger);
		}
	}

	/** A person starts a test run and cancels it. */
	async test(trigger: LiveTrigger, subscription: WebhookSubscription): Promise<void> {
		const before = stateOf(subscription);
		await trigger.listen();
		expect(await trigger.isListening()).toBe(true);
		if (this.owners.has(trigger)) expect(subscription.url).toContain(before.url);
		await trigger.stopListening();
		// A test run that begins before the last one is forgotten makes n8n 2.41 clone all that it has in memory, in
		// `cacheService.setHash`, until its stack overflows.
		await waitFor('the end of the test run', async () => !(await trigger.isListening()));
		expect(stateOf(subscription)).toEqual(before);
	}

	/** Exactly one execution of the owner. */
	async deliver(trigger: LiveTrigger, { url }: WebhookSubscription): Promise<void> {
		if (!this.owners.has(trigger)) return;
		const { length } = await trigger.listExecutions();
		expect(await deliver(url, { event: 'form.submitted' })).toBe(200);
		expect(await trigger.runs(length + 1)).toHaveLength(length + 1);
	}

	async end(): Promise<void> {
		for (const trigger of this.published) await trigger.unpublish();
		expect(this.subscriptions.map(stateOf)).toEqual(this.expected);
	}
}

test('after every history the subscription is as its last foreign owner left it', async () => {
	const end = Date.now() + mostMs;
	let played = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.boolean(),
			fc.array(step, { minLength: 3, maxLength: 8 }),
			async (active, steps) => {
				if (Date.now() > end) return;
				const history = await History.begin(active);
				for (const each of steps) await history.play(each);
				await history.end();
				await stage.clear();
				played++;
			},
		),
		{ ...settings, endOnFailure: true },
	);
	expect(played).toBeGreaterThan(3);
});
