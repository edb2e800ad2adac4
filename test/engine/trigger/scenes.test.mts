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
const fault = (name: 'resetAfter' | 'resetBefore', method?: string) => () =>
	setup.faults.add({ kind: name, method, times: 2 });
const refuse = (status: number, method?: string) => () =>
	setup.faults.add({ kind: 'status', status, method, times: 99 });

const steps = {
	publish: async ({ trigger, engine }: Scene) => await trigger.publish({ engine }),
	unpublish: async ({ trigger, engine }: Scene) => await trigger.unpublish({ engine }),
	test: async ({ trigger }: Scene) => await trigger.listen(),
	'end the test': async ({ trigger }: Scene) => await trigger.endListening(),
	start: async ({ trigger }: Scene) => await trigger.startOlder(),
	'get an event': async ({ subscription }: Scene) => {
		expect(await setup.deliver(subscription.url, { event: 'form.submitted' })).toBe(200);
	},
	crash: ({ trigger }: Scene) => {
		trigger.kill();
		remembered.clear();
	},
	'lose static data': ({ trigger }: Scene) => void (trigger.staticData = {}),
	'end a copy': async (scene: Scene) => {
		const { subscription, trigger } = scene;
		await setup.trigger(subscription, { id: trigger.id }).hook('delete');
	},
	'move n8n': ({ trigger }: Scene) => void (trigger.base = 'http://n8n.new.example'),
	'new key': ({ trigger }: Scene) => void (trigger.credential.apiKey = 'the-api-key-2'),
	'edit in the service': ({ subscription }: Scene) => void (subscription.events = null),
	'switch off in the service': ({ subscription }: Scene) => void (subscription.active = false),
	'give to another receiver': ({ subscription }: Scene) => void Object.assign(subscription, other),
	'Take Over': option({ takeOver: true }),
	'no Take Over': option({ takeOver: false }),
	'no Verify Token': option({ verifyToken: false }),
	Pause: option({ onDeactivate: 'pause' }),
	Leave: option({ onDeactivate: 'leave' }),
	Restore: option({ onDeactivate: 'restore' }),
	'Test Subscription': (scene: Scene) =>
		option({ testSubscriptionId: scene.forTests.subscriptionId })(scene),
	'lose responses': fault('resetAfter', 'PATCH'),
	'the service is down': refuse(503),
	'a wrong key': refuse(401),
	'nothing can be changed': refuse(403, 'PATCH'),
	'it is deleted': refuse(404),
	'one change is taken': () =>
		setup.faults.add({ kind: 'status', status: 403, method: 'PATCH', skip: 1, times: 99 }),
	'all is well again': () => {
		setup.faults.clear();
		setup.onChange = undefined;
	},
	'the query is dropped': store((url) => ({ url: url.split('?')[0] })),
	'https is insisted on': store((url) => ({ url: url.replace('http:', 'https:') })),
	'another URL is stored': store(() => ({ url: 'https://example.com/stubborn', active: false })),
	'events are kept': store(() => ({ events: ['page.version.created'] })),
	'it stays inactive': store(() => ({ active: false })),
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
	'here, but inactive': (scene: Scene) => ({ ...here(scene), active: false }),
	'at the old address': () => ({
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
		[free, 'publish, edit in the service, publish', 'here'],
		[
			free,
			'publish, get an event, move n8n, !publish',
			'at the old address',
			/at another address: this n8n/,
		],
		[free, 'publish, move n8n, Take Over, publish', 'here'],
		[used, 'Take Over, lose responses, publish, unpublish', 'used'],
		[used, 'Take Over, the query is dropped, !publish', 'used', /turn off Verify Token/],
		[used, 'Take Over, https is insisted on, !publish', 'used', /Set N8N_WEBHOOK_URL.* https:/],
		[used, 'Take Over, events are kept, !publish', 'used', /did not accept the new events of/],
		[used, 'Take Over, it stays inactive, !publish', 'used', /the new active state of/],
		[
			used,
			'Take Over, one change is taken, it stays inactive, !publish',
			'here, but inactive',
			/could not be restored: .*403/,
		],
		[
			used,
			'Take Over, one change is taken, it stays inactive, !publish, all is well again, publish, unpublish',
			'used',
		],
		[free, 'another URL is stored, !publish', 'inactive', /the new URL and active/],
		[
			used,
			'Take Over, nothing can be changed, !publish',
			'used',
			/unchanged: it was to deliver form.submitted to/,
		],
		[used, 'a wrong key, !publish, all is well again, Take Over, publish', 'here', /\(401\)/],
		[used, 'the service is down, !publish', 'used', /503/],
		[free, 'the service is down, !publish, all is well again, publish', 'here'],
		[free, 'nothing can be changed, !publish, all is well again, publish', 'here'],
		[free, 'publish, new key, get an event, publish, get an event, unpublish', 'free'],
	],
	'a start of n8n': [
		[free, 'publish, start, crash, start, get an event', 'here'],
		[free, 'publish, start, unpublish', 'free'],
		[free, 'publish, switch off in the service, start', 'here, but inactive'],
		[
			free,
			'publish, give to another receiver, start',
			'other',
			/left unchanged at the start of n8n/,
		],
		[
			used,
			'Take Over, start',
			'used',
			/delivers to https:\/\/example\.com\/crm\. To use it, unpub/,
		],
		[
			free,
			'publish, move n8n, start',
			'at the old address',
			/at another address: this n8n before it was moved/,
		],
		[free, 'test, crash, start', 'at the test', /left unchanged at the start of n8n/],
		[
			free,
			'publish, the service is down, start, get an event',
			'here',
			/unknown at the start.* \(503\)/,
		],
		[free, 'publish, the service is down, start, all is well again, unpublish', 'free'],
		[free, 'publish, nothing can be changed, start, all is well again, unpublish', 'free'],
		[free, 'publish, a wrong key, start, get an event', 'here', /unknown at the start.* \(401\)/],
	],
	unpublishing: [
		[used, 'Take Over, publish, lose responses, unpublish', 'used'],
		[used, 'Take Over, publish, new key, unpublish', 'used'],
		[free, 'publish, switch off in the service, unpublish', 'free'],
		[
			free,
			'publish, give to another receiver, unpublish',
			'other',
			/now delivers to https:\/\/example/,
		],
		[
			{ ...used, events: null },
			'Take Over, publish, unpublish',
			'all events',
			/selected all events/,
		],
		[used, 'Take Over, publish, lose static data, unpublish', 'used'],
		[used, 'Take Over, publish, crash, unpublish', 'used'],
		[
			used,
			'Take Over, publish, lose static data, crash, unpublish',
			'here, but inactive',
			/unknown/,
		],
		[free, 'publish, it is deleted, unpublish', 'here', /not found with this API key \(404\)/],
		[free, 'publish, it is deleted, unpublish, all is well again, publish, unpublish', 'free'],
		[
			free,
			'publish, nothing can be changed, !unpublish',
			'here',
			/could not be restored: .*\(403\)/,
		],
		[free, 'publish, the service is down, !unpublish, all is well again, unpublish', 'free'],
		[free, 'publish, end a copy, get an event', 'here', /its URL lacks the token of this workflow/],
		[free, 'no Verify Token, publish, end a copy', 'here, without a token'],
		[free, 'publish, crash, end a copy, unpublish', 'free'],
		[
			free,
			'publish, new key, lose static data, crash, unpublish',
			'here',
			/of this workflow and API key/,
		],
		[used, 'Take Over, Pause, publish, unpublish', 'here, but inactive'],
		[used, 'Take Over, Pause, publish, unpublish, unpublish, Restore, publish, unpublish', 'used'],
		[used, 'Take Over, Leave, publish, unpublish', 'here'],
		[
			used,
			'Take Over, Leave, publish, unpublish, no Take Over, Restore, publish, unpublish',
			'used',
		],
		[
			used,
			'Take Over, Pause, publish, unpublish, give to another receiver, Restore, publish, unpublish',
			'other',
		],
	],
	'a test': [
		[free, 'test', 'at the test'],
		[free, 'test, get an event', 'free'],
		[free, 'test, end the test, end the test', 'free'],
		[free, 'lose responses, test, lose responses, end the test', 'free'],
		[free, 'Test Subscription, publish, test, end the test', 'here'],
		[
			free,
			'publish, !test',
			'here',
			/Unpublish the workflow for the test, or .* Test Subscription/,
		],
		[free, 'publish, Take Over, !test, get an event', 'here'],
		[free, 'publish, move n8n, !test', 'at the old address', /a test would take its events/],
		[used, '!test', 'used', /in use by .*For the test, choose another.* Test Subscription/],
		[used, 'Take Over, !test', 'used'],
		[free, 'publish, switch off in the service, test', 'at the test'],
		[free, 'publish, switch off in the service, test, end the test', 'here, but inactive'],
		[free, 'publish, switch off in the service, test, unpublish, end the test', 'free'],
		[free, 'test, publish', 'here'],
		[free, 'test, publish, end the test, get an event, unpublish', 'free'],
		[
			free,
			'test, crash, test, end the test',
			'inactive',
			/unknown, so the trigger made it inactive/,
		],
		[free, 'test, crash, publish', 'here'],
		[
			free,
			'test, crash, publish, unpublish',
			'inactive',
			/unknown, so the trigger made it inactive/,
		],
		[free, 'nothing can be changed, !test', 'free', /403/],
		[free, 'it stays inactive, !test', 'free', /did not accept the new active state/],
		[
			free,
			'test, nothing can be changed, end the test',
			'at the test',
			/not be restored: .*\(403\)/,
		],
		[free, 'test, the service is down, end the test, all is well again, end the test', 'free'],
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
