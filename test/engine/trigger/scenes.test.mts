import { remembered } from '../../../nodes/PageAudienceTrigger/kept.ts';
import type { Fault } from '../../../sandbox/faults.mts';
import { eventKinds, type WebhookSubscription } from '../../../sandbox/index.mts';
import type { Trigger } from './trigger.mts';
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

/** What static data has of each trigger. */
type Kept = { global: { pageAudienceTrigger: Record<string, { taken: object[] }> } };

interface Scene {
	subscription: WebhookSubscription;
	/** Only a test uses it. */
	forTests: WebhookSubscription;
	trigger: Trigger;
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
/** Responses of the service to all that it is asked, to changes, and to one look. */
const respond = (fault: Fault) => () => setup.faults.add(fault);
const refuse = (status: number, more: object = {}) =>
	respond({ kind: 'status', status, times: 99, ...more });
const respondToChange = (fault: Fault) => respond({ method: 'PATCH', ...fault });
const show = (change: object) => (scene: Scene) =>
	setup.faults.add({ kind: 'answer', method: 'GET', body: { ...scene.subscription, ...change } });

const deliver =
	(event: string) =>
	async ({ subscription }: Scene) =>
		expect(await setup.deliver(subscription.url, { event })).toBe(200);

const steps = {
	publish: async ({ trigger }) => await trigger.publish(),
	unpublish: async ({ trigger }) => await trigger.unpublish(),
	test: async ({ trigger }) => await trigger.listen(),
	'end test': async ({ trigger }) => await trigger.endListening(),
	start: async ({ trigger }) => await trigger.startOlder(),
	event: deliver('form.submitted'),
	'other event': deliver('form.enriched'),
	'event without a token': async ({ trigger }) => {
		expect(await setup.deliver(trigger.testUrl, { event: 'form.submitted' })).toBe(401);
	},
	crash: ({ trigger }) => {
		trigger.kill();
		remembered.clear();
	},
	forget: ({ trigger }) => void (trigger.staticData = {}),
	/** Another main process of n8n restored it, and took it again. */
	'take it elsewhere': ({ trigger }) => {
		const [{ taken }] = Object.values((trigger.staticData as Kept).global.pageAudienceTrigger);
		Object.assign(taken[0], { original: other, at: Date.now() + 1 });
	},
	'end a copy': async ({ subscription, trigger }) => {
		await setup.trigger(subscription, { id: trigger.id }).hook('delete');
	},
	'move n8n': ({ trigger }) => void (trigger.base = 'http://n8n.new.example'),
	'copy n8n': ({ trigger }) => void (trigger.base = `${setup.n8n.url}/staging`),
	'new key': ({ trigger }) => void (trigger.credential.apiKey = 'the-api-key-2'),
	'two events as text': ({ trigger }) =>
		void (trigger.parameters.events = '={{ "form.submitted, form.enriched" }}'),
	'choose another': ({ trigger }) => {
		const { subscriptionId } = setup.subscription({ active: false }, 1);
		trigger.parameters.subscriptionId = subscriptionId;
	},
	edit: ({ subscription }) => void (subscription.events = null),
	'switch off': ({ subscription }) => void (subscription.active = false),
	'hand on': ({ subscription }) => void Object.assign(subscription, other),
	'Take Over': option({ takeOver: true }),
	'no Take Over': option({ takeOver: false }),
	'no Verify Token': option({ verifyToken: false }),
	Pause: option({ onDeactivate: 'pause' }),
	Leave: option({ onDeactivate: 'leave' }),
	Restore: option({ onDeactivate: 'restore' }),
	'Test Subscription': (scene) =>
		option({ testSubscriptionId: scene.forTests.subscriptionId })(scene),
	// What the service does.
	down: refuse(503),
	'wrong key': refuse(401),
	deleted: refuse(404),
	'no changes': refuse(403, { method: 'PATCH' }),
	'one change': refuse(403, { method: 'PATCH', skip: 1 }),
	'no second look': refuse(403, { method: 'GET', skip: 1, times: 1 }),
	'not this one': ({ subscription }) =>
		refuse(403, { method: 'PATCH', path: new RegExp(subscription.subscriptionId) })(),
	'too slow': refuse(504, { method: 'PATCH' }),
	/** It makes the change after n8n has ended the first try, and n8n or the person tries again. */
	'late change': ({ subscription }) => void Object.assign(subscription, setup.changes[0]),
	lost: respondToChange({ kind: 'resetAfter', times: 2 }),
	'reply 500': respondToChange({ kind: 'status', status: 500, afterWork: true, times: 2 }),
	'reply with a page': respondToChange({ kind: 'answer', body: '<html>' }),
	'reply with the ID': respondToChange({ kind: 'answer', body: { subscriptionId: 'sub' } }),
	'reply without ID': respondToChange({ kind: 'answer', body: { active: false }, times: 9 }),
	'reply without events': () => void (setup.onChange = ({ events: _, ...rest }) => rest),
	'reply of another': ({ forTests }) => void (setup.onChange = () => ({ ...forTests })),
	'reply as inactive': () => void (setup.onChange = (record) => ({ ...record, active: false })),
	'look at another': show({ subscriptionId: 'other' }),
	'look without URL': show({ url: undefined }),
	mend: () => {
		setup.faults.clear();
		setup.onChange = undefined;
	},
	/** At once: it does not wait for what n8n does after its response. */
	'try the URL': () => {
		setup.onChange = async (_, { url }) => {
			if (url?.includes('webhook-test')) await setup.n8n.deliver(url, {});
		};
	},
	'events turned round': () => void (setup.onChange = ({ events }) => void events?.reverse()),
	'query dropped': store((url) => ({ url: url.split('?')[0] })),
	'https only': store((url) => ({ url: url.replace('http:', 'https:') })),
	'other URL': store(() => ({ url: 'https://example.com/stubborn', active: false })),
	'events kept': store(() => ({ events: ['page.version.created'] })),
	'stays inactive': store(() => ({ active: false })),
} satisfies Record<string, (scene: Scene) => unknown>;
type Step = keyof typeof steps;

const delivers = (url: string, active = true, events = ['form.submitted']) => ({
	url: expect.stringMatching(`^${url}\\?token=[\\da-f]{64}$`) as string,
	events,
	active,
});
const two = ['form.enriched', 'form.submitted'];
const ends = {
	free: () => free,
	used: () => used,
	other: () => other,
	unchanged: () => ({ changes: [] }),
	here: ({ trigger }) => delivers(trigger.productionUrl),
	'here, inactive': ({ trigger }) => delivers(trigger.productionUrl, false),
	'here, for two events': ({ trigger }) => delivers(trigger.productionUrl, true, two),
	'here, without a token': ({ trigger }) => ({ url: trigger.productionUrl, active: true }),
	'at the test': ({ trigger }) => delivers(trigger.testUrl),
	'old address': ({ trigger }) => delivers(`${setup.n8n.url}/webhook/${trigger.id}/webhook`),
	inactive: () => ({ active: false }),
	'all events': () => ({ ...used, events: expect.arrayContaining([...eventKinds]) as string[] }),
} satisfies Record<string, (scene: Scene) => object>;

const unknown = /unknown, so the trigger made it inactive/;
const maybe = /may have been changed/;

type Row = [begin: object, script: string, end: keyof typeof ends, told?: RegExp];

/** A step that fails begins with an exclamation mark. */
const scenes: Record<string, Row[]> = {
	publishing: [
		[free, 'publish', 'here'],
		[free, 'two events as text, events turned round, publish', 'here, for two events'],
		[free, 'publish, publish, unpublish, unpublish', 'free'],
		[used, '!publish', 'unchanged', /in use by https:\/\/example\.com\/crm\. Choose.* Take Over/],
		[used, '!publish, unpublish', 'used'],
		[used, 'Take Over, publish', 'here', /taken over from https:\/\/example\.com\/crm/],
		[used, 'Take Over, publish, no Take Over, publish, unpublish', 'used'],
		[free, 'publish, edit, publish', 'here'],
		[free, 'publish, event, move n8n, !publish', 'old address', /at another address: this n8n/],
		[free, 'publish, event, copy n8n, !publish', 'old address', /is in use by/],
		[free, 'publish, move n8n, Take Over, publish', 'here'],
		[used, 'Take Over, lost, publish, unpublish', 'used'],
		[used, 'Take Over, lost, no second look, !publish', 'used', /may have been changed/],
		[used, 'Take Over, reply 500, publish, mend, unpublish', 'used'],
		[used, 'Take Over, reply with a page, publish, mend, unpublish', 'used'],
		[used, 'Take Over, reply with the ID, publish, mend, unpublish', 'used'],
		[used, 'Take Over, reply without ID, publish, mend, unpublish', 'used'],
		[used, 'Take Over, reply without events, publish, mend, unpublish', 'used'],
		[used, 'Take Over, look at another, !publish', 'unchanged', /other than webhook subscription/],
		[used, 'Take Over, look without URL, !publish', 'unchanged', /left out the URL or the events/],
		[used, 'Take Over, query dropped, !publish', 'used', /turn off Verify Token/],
		[used, 'Take Over, https only, !publish', 'used', /Set N8N_WEBHOOK_URL.* https:/],
		[used, 'Take Over, events kept, !publish', 'used', /did not accept the new events of/],
		[used, 'Take Over, stays inactive, !publish', 'used', /the new active state of/],
		[used, 'Take Over, one change, stays inactive, !publish', 'here, inactive', /restored: .*403/],
		[used, 'Take Over, one change, stays inactive, !publish, mend, publish, unpublish', 'used'],
		[free, 'other URL, !publish', 'inactive', /the new URL and active/],
		[used, 'Take Over, no changes, !publish', 'used', /unchanged: it was to deliver form.submi/],
		[used, 'Take Over, too slow, !publish, mend, late change, publish, unpublish', 'used', maybe],
		[free, 'too slow, !publish, mend, late change, publish, unpublish', 'free', maybe],
		[used, 'wrong key, !publish, mend, Take Over, publish', 'here', /\(401\)/],
		[used, 'down, !publish', 'unchanged', /503/],
		[free, 'down, !publish, mend, publish', 'here'],
		[free, 'no changes, !publish, mend, publish', 'here'],
		[free, 'publish, new key, event, publish, event, unpublish', 'free'],
	],
	'a start of n8n': [
		[free, 'publish, start, crash, start, event', 'here'],
		[free, 'publish, start, unpublish', 'free'],
		[free, 'publish, switch off, start', 'here, inactive'],
		[free, 'publish, hand on, start', 'other', /left unchanged at the start of n8n/],
		[used, 'Take Over, start', 'unchanged', /delivers to https:\/\/example\.com\/crm\. To use it/],
		[free, 'publish, move n8n, start', 'old address', /this n8n before it was moved/],
		[free, 'test, crash, start', 'at the test', /left unchanged at the start of n8n/],
		[free, 'publish, down, start, event', 'here', /unknown at the start.* \(503\)/],
		[free, 'publish, down, start, mend, unpublish', 'free'],
		[free, 'publish, no changes, start, mend, unpublish', 'free'],
		[free, 'publish, wrong key, start, event', 'here', /unknown at the start.* \(401\)/],
	],
	unpublishing: [
		[used, 'Take Over, publish, lost, unpublish', 'used'],
		[used, 'Take Over, publish, new key, unpublish', 'used'],
		[used, 'Take Over, publish, reply of another, unpublish', 'used'],
		[used, 'Take Over, publish, reply as inactive, !unpublish', 'used', /not restore the active/],
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
		[used, 'Take Over, publish, take it elsewhere, unpublish', 'other'],
		[used, 'Take Over, publish, forget, crash, unpublish', 'here, inactive', unknown],
		[free, 'publish, deleted, unpublish', 'here', /not found with this API key \(404\)/],
		[free, 'publish, deleted, unpublish, mend, publish, unpublish', 'free'],
		[free, 'publish, no changes, !unpublish', 'here', /could not be restored: .*\(403\)/],
		[free, 'publish, down, !unpublish, mend, unpublish', 'free'],
		[free, 'publish, not this one, !unpublish, choose another, publish, mend, publish', 'free'],
		[free, 'publish, end a copy, event', 'here', /its URL lacks the token of this workflow/],
		[free, 'no Verify Token, publish, end a copy', 'here, without a token'],
		[free, 'publish, crash, end a copy, unpublish', 'free'],
		[free, 'publish, new key, forget, crash, unpublish', 'here', /of this workflow and API key/],
		[used, 'Take Over, Pause, publish, unpublish', 'here, inactive'],
		[used, 'Take Over, Pause, publish, unpublish, unpublish, Restore, publish, unpublish', 'used'],
		[used, 'Take Over, Leave, publish, unpublish', 'here'],
		[used, 'Take Over, Leave, publish, unpublish, Restore, publish, unpublish', 'used'],
		[used, 'Take Over, Pause, publish, unpublish, hand on, Restore, publish, unpublish', 'other'],
	],
	'a test': [
		[free, 'test', 'at the test'],
		[free, 'test, event', 'free'],
		[free, 'test, event without a token, other event', 'at the test'],
		[free, 'test, other event, event, end test', 'free'],
		[free, 'try the URL, test', 'free'],
		[free, 'try the URL, test, end test', 'free'],
		[free, 'test, end test, end test', 'free'],
		[free, 'lost, test, lost, end test', 'free'],
		[free, 'too slow, !test, mend, late change, test, end test', 'free', maybe],
		[free, 'Test Subscription, publish, test, end test', 'here'],
		[
			free,
			'publish, !test',
			'here',
			/Unpublish the workflow for the test, or .* Test Subscription/,
		],
		[free, 'publish, Take Over, !test, event', 'here'],
		[free, 'publish, move n8n, !test', 'old address', /a test would take its events/],
		[used, '!test', 'unchanged', /in use by .*For the test, choose another.* Test Subscription/],
		[used, 'Take Over, !test', 'unchanged'],
		[free, 'look at another, !test', 'unchanged', /other than webhook subscription/],
		[free, 'look without URL, !test', 'unchanged', /left out the URL or the events/],
		[free, 'publish, switch off, test', 'at the test'],
		[free, 'publish, switch off, test, end test', 'here, inactive'],
		[free, 'publish, switch off, test, unpublish, end test', 'free'],
		[free, 'test, publish', 'here'],
		[free, 'test, publish, end test, event, unpublish', 'free'],
		[free, 'test, crash, test, end test', 'inactive', unknown],
		[free, 'test, crash, publish', 'here'],
		[free, 'test, crash, publish, unpublish', 'inactive', unknown],
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
			setup.n8n.engine = engine;
			const made = setup.subscribed(structuredClone(begin));
			const scene: Scene = { ...made, forTests: setup.subscription({ active: false }, 3) };
			const { url, active } = scene.forTests;
			const messages: string[] = [];
			for (const step of script.split(', ')) {
				const work = steps[step.replace('!', '') as Step];
				const error = await caught((async () => await work(scene))());
				await setup.rest();
				expect([step, error === undefined]).toEqual([step, !step.startsWith('!')]);
				if (error) messages.push(error.message);
			}
			const { changes } = setup;
			expect({ ...scene.subscription, changes }).toMatchObject(ends[end](scene));
			expect(scene.forTests).toMatchObject({ url, active });
			const lines = [...messages, ...setup.n8n.log].join('\n');
			if (told) expect(lines).toMatch(told);
			expect(lines).not.toMatch(/[?&]key=|[\da-f]{64}/);
		});
	});
});
