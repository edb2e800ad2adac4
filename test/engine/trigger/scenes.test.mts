import { remembered } from '../../../nodes/PageAudienceTrigger/kept.ts';
import { eventKinds, type WebhookSubscription } from '../../../sandbox/index.mts';
import { Trigger } from './trigger.mts';
import { caught, setUpTrigger } from './triggerSetup.mts';

/*
 * What becomes of a subscription, in one row for each scene: what happens, one thing after another, how the subscription is
 * then, and what people are told, by a message or in the log. `test/unit/trigger/decide.test.mts` has each cell of the table
 * that decides it, and the random histories (`model.test.mts`) what no one has thought of.
 */

const setup = setUpTrigger();

/** How the subscription is at first: nobody has it, or another receiver does. */
const free = { url: 'https://example.com/old?key=s3', events: ['form.enriched'], active: false };
const used = { ...free, url: 'https://example.com/crm?key=k1', active: true };
const other = { url: 'https://example.com/other', events: ['form.submitted'], active: true };

interface Scene {
	subscription: WebhookSubscription;
	/** Only a test uses it. */
	forTests: WebhookSubscription;
	trigger: Trigger;
	engine: 'new' | 'older';
}

const option = (options: Trigger['parameters']) => (scene: Scene) => {
	const { trigger } = scene;
	trigger.parameters.options = { ...(trigger.parameters.options as object), ...options };
};
/** The service makes something else of a URL of n8n, and of no other. */
const store = (change: (url: string) => Partial<WebhookSubscription>) => () => {
	setup.onChange = (record) => {
		if (record.url.includes('/webhook')) Object.assign(record, change(record.url));
	};
};
const refuse = (status: number, method?: string) => () =>
	setup.faults.add({ kind: 'status', status, method, times: 99 });

const steps = {
	publish: async ({ trigger, engine }: Scene) => await trigger.publish({ engine }),
	unpublish: async ({ trigger, engine }: Scene) => await trigger.unpublish({ engine }),
	test: async ({ trigger }: Scene) => await trigger.listen(),
	'end test': async ({ trigger }: Scene) => await trigger.endListening(),
	start: async ({ trigger }: Scene) => await trigger.startOlder(),
	event: async ({ subscription }: Scene) => {
		expect(await setup.deliver(subscription.url, { event: 'form.submitted' })).toBe(200);
	},
	crash: ({ trigger }: Scene) => {
		trigger.kill();
		remembered.clear();
	},
	forget: ({ trigger }: Scene) => void (trigger.staticData = {}),
	'end a copy': async (scene: Scene) => {
		const { subscription, trigger } = scene;
		await setup.trigger(subscription, { id: trigger.id }).hook('delete');
	},
	'move n8n': ({ trigger }: Scene) => void (trigger.base = 'http://n8n.new.example'),
	'new key': ({ trigger }: Scene) => void (trigger.credential.apiKey = 'the-api-key-2'),
	edit: ({ subscription }: Scene) => void (subscription.events = null),
	'switch off': ({ subscription }: Scene) => void (subscription.active = false),
	'hand on': ({ subscription }: Scene) => void Object.assign(subscription, other),
	'Take Over': option({ takeOver: true }),
	'no Take Over': option({ takeOver: false }),
	'no Verify Token': option({ verifyToken: false }),
	Pause: option({ onDeactivate: 'pause' }),
	Leave: option({ onDeactivate: 'leave' }),
	Restore: option({ onDeactivate: 'restore' }),
	'Test Subscription': (scene: Scene) =>
		option({ testSubscriptionId: scene.forTests.subscriptionId })(scene),
	// The responses to the next changes.
	lost: () => setup.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 }),
	down: refuse(503),
	'wrong key': refuse(401),
	'no changes': refuse(403, 'PATCH'),
	deleted: refuse(404),
	'one change': () =>
		setup.faults.add({ kind: 'status', status: 403, method: 'PATCH', skip: 1, times: 99 }),
	mend: () => {
		setup.faults.clear();
		setup.onChange = undefined;
	},
	'query dropped': store((url) => ({ url: url.split('?')[0] })),
	'https only': store((url) => ({ url: url.replace('http:', 'https:') })),
	'other URL': store(() => ({ url: 'https://example.com/stubborn', active: false })),
	'events kept': store(() => ({ events: ['page.version.created'] })),
	'stays inactive': store(() => ({ active: false })),
};
type Step = keyof typeof steps;

const here = ({ trigger }: Scene) => ({
	url: expect.stringContaining(`${trigger.productionUrl}?token=`) as string,
	events: ['form.submitted'],
	active: true,
});
const ends = {
	free: () => free,
	used: () => used,
	other: () => other,
	here,
	'here, without a token': ({ trigger }: Scene) => ({
		...here({ trigger } as Scene),
		url: trigger.productionUrl,
	}),
	'here, inactive': (scene: Scene) => ({ ...here(scene), active: false }),
	'old address': () => ({
		url: expect.stringMatching(`^${setup.n8n.url}/webhook/`) as string,
		active: true,
	}),
	inactive: () => ({ active: false }),
	'at the test': ({ trigger }: Scene) => ({
		...here({ trigger } as Scene),
		url: expect.stringContaining(`${trigger.testUrl}?token=`) as string,
	}),
	'all events': () => ({ ...used, events: expect.arrayContaining([...eventKinds]) as string[] }),
};

type Row = [begin: object, script: string, end: keyof typeof ends, told?: RegExp];

/** A step that fails begins with an exclamation mark. */
const scenes: Record<string, Row[]> = {
	publishing: [
		[free, 'publish', 'here'],
		[free, 'publish, unpublish', 'free'],
		[free, 'publish, publish, unpublish, unpublish', 'free'],
		[used, '!publish', 'used', /in use by https:\/\/example\.com\/crm\. Choose.* Take Over/],
		[used, '!publish, unpublish', 'used'],
		[used, 'Take Over, publish', 'here', /taken over from https:\/\/example\.com\/crm/],
		[used, 'Take Over, publish, no Take Over, publish, unpublish', 'used'],
		[free, 'publish, edit, publish', 'here'],
		[free, 'publish, event, move n8n, !publish', 'old address', /at another address: this n8n/],
		[free, 'publish, move n8n, Take Over, publish', 'here'],
		[used, 'Take Over, lost, publish, unpublish', 'used'],
		[used, 'Take Over, query dropped, !publish', 'used', /turn off Verify Token/],
		[used, 'Take Over, https only, !publish', 'used', /Set N8N_WEBHOOK_URL.* https:/],
		[used, 'Take Over, events kept, !publish', 'used', /did not accept the new events of/],
		[used, 'Take Over, stays inactive, !publish', 'used', /the new active state of/],
		[
			used,
			'Take Over, one change, stays inactive, !publish',
			'here, inactive',
			/could not be restored: .*403/,
		],
		[used, 'Take Over, one change, stays inactive, !publish, mend, publish, unpublish', 'used'],
		[free, 'other URL, !publish', 'inactive', /the new URL and active/],
		[
			used,
			'Take Over, no changes, !publish',
			'used',
			/unchanged: it was to deliver form.submitted to/,
		],
		[used, 'wrong key, !publish, mend, Take Over, publish', 'here', /\(401\)/],
		[used, 'down, !publish', 'used', /503/],
		[free, 'down, !publish, mend, publish', 'here'],
		[free, 'no changes, !publish, mend, publish', 'here'],
		[free, 'publish, new key, event, publish, event, unpublish', 'free'],
	],
	'a start of n8n': [
		[free, 'publish, start, crash, start, event', 'here'],
		[free, 'publish, start, unpublish', 'free'],
		[free, 'publish, switch off, start', 'here, inactive'],
		[free, 'publish, hand on, start', 'other', /left unchanged at the start of n8n/],
		[
			used,
			'Take Over, start',
			'used',
			/delivers to https:\/\/example\.com\/crm\. To use it, unpub/,
		],
		[
			free,
			'publish, move n8n, start',
			'old address',
			/at another address: this n8n before it was moved/,
		],
		[free, 'test, crash, start', 'at the test', /left unchanged at the start of n8n/],
		[free, 'publish, down, start, event', 'here', /unknown at the start.* \(503\)/],
		[free, 'publish, down, start, mend, unpublish', 'free'],
		[free, 'publish, no changes, start, mend, unpublish', 'free'],
		[free, 'publish, wrong key, start, event', 'here', /unknown at the start.* \(401\)/],
	],
	unpublishing: [
		[used, 'Take Over, publish, lost, unpublish', 'used'],
		[used, 'Take Over, publish, new key, unpublish', 'used'],
		[free, 'publish, switch off, unpublish', 'free'],
		[free, 'publish, hand on, unpublish', 'other', /now delivers to https:\/\/example/],
		[
			{ ...used, events: null },
			'Take Over, publish, unpublish',
			'all events',
			/selected all events/,
		],
		[used, 'Take Over, publish, forget, unpublish', 'used'],
		[used, 'Take Over, publish, crash, unpublish', 'used'],
		[used, 'Take Over, publish, forget, crash, unpublish', 'here, inactive', /unknown/],
		[free, 'publish, deleted, unpublish', 'here', /not found with this API key \(404\)/],
		[free, 'publish, deleted, unpublish, mend, publish, unpublish', 'free'],
		[free, 'publish, no changes, !unpublish', 'here', /could not be restored: .*\(403\)/],
		[free, 'publish, down, !unpublish, mend, unpublish', 'free'],
		[free, 'publish, end a copy, event', 'here', /its URL lacks the token of this workflow/],
		[free, 'no Verify Token, publish, end a copy', 'here, without a token'],
		[free, 'publish, crash, end a copy, unpublish', 'free'],
		[free, 'publish, new key, forget, crash, unpublish', 'here', /of this workflow and API key/],
		[used, 'Take Over, Pause, publish, unpublish', 'here, inactive'],
		[used, 'Take Over, Pause, publish, unpublish, unpublish, Restore, publish, unpublish', 'used'],
		[used, 'Take Over, Leave, publish, unpublish', 'here'],
		[
			used,
			'Take Over, Leave, publish, unpublish, no Take Over, Restore, publish, unpublish',
			'used',
		],
		[used, 'Take Over, Pause, publish, unpublish, hand on, Restore, publish, unpublish', 'other'],
	],
	'a test': [
		[free, 'test', 'at the test'],
		[free, 'test, event', 'free'],
		[free, 'test, end test, end test', 'free'],
		[free, 'lost, test, lost, end test', 'free'],
		[free, 'Test Subscription, publish, test, end test', 'here'],
		[
			free,
			'publish, !test',
			'here',
			/Unpublish the workflow for the test, or .* Test Subscription/,
		],
		[free, 'publish, Take Over, !test, event', 'here'],
		[free, 'publish, move n8n, !test', 'old address', /a test would take its events/],
		[used, '!test', 'used', /in use by .*For the test, choose another.* Test Subscription/],
		[used, 'Take Over, !test', 'used'],
		[free, 'publish, switch off, test', 'at the test'],
		[free, 'publish, switch off, test, end test', 'here, inactive'],
		[free, 'publish, switch off, test, unpublish, end test', 'free'],
		[free, 'test, publish', 'here'],
		[free, 'test, publish, end test, event, unpublish', 'free'],
		[free, 'test, crash, test, end test', 'inactive', /unknown, so the trigger made it inactive/],
		[free, 'test, crash, publish', 'here'],
		[
			free,
			'test, crash, publish, unpublish',
			'inactive',
			/unknown, so the trigger made it inactive/,
		],
		[free, 'no changes, !test', 'free', /403/],
		[free, 'stays inactive, !test', 'free', /did not accept the new active state/],
		[free, 'test, no changes, end test', 'at the test', /not be restored: .*\(403\)/],
		[free, 'test, down, end test, mend, end test', 'free'],
	],
};

describe.each(['new', 'older'] as const)('with the %s engine:', (engine) => {
	describe.each(Object.entries(scenes))('%s', (_, rows) => {
		// Jest would take a missing fourth argument for its callback.
		test.each(rows)('%j: %s: %s', async (...row) => {
			const [begin, script, end, told] = row as Row;
			const made = setup.subscribed(structuredClone(begin));
			const forTests = setup.subscription({ active: false }, 3);
			const scene: Scene = { ...made, forTests, engine };
			const { url, active } = forTests;
			const messages: string[] = [];
			for (const step of script.split(', ')) {
				const work = steps[step.replace('!', '') as Step];
				const error = await caught((async () => await work(scene))());
				expect([step, error === undefined]).toEqual([step, !step.startsWith('!')]);
				if (error) messages.push(error.message);
			}
			expect(scene.subscription).toMatchObject(ends[end](scene));
			expect(forTests).toMatchObject({ url, active });
			const lines = [...messages, ...setup.n8n.log].join('\n');
			if (told) expect(lines).toMatch(told);
			expect(lines).not.toMatch(/[?&]key=|[\da-f]{64}/);
		});
	});
});
