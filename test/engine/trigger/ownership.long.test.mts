import { Host } from './host.mts';
import { type Scene, setUpScene, until } from './scene.mts';

const scene = setUpScene();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };
const used = { ...free, url: 'https://example.com/crm?key=k1', active: true };
const takeOver = { options: { takeOver: true } };
const withoutToken =
	"The URL carries this trigger's secret token. To do without it, turn off Verify Token.";
const stateOf = ({ url, events, active }: ReturnType<Scene['subscription']>) => ({
	url,
	events,
	active,
});

describe('a test run leaves production its URL', () => {
	const publish = async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.publish();
		return { subscription, trigger, production: stateOf(subscription) };
	};

	test('when a person paused the subscription, and starts production with nothing in between', async () => {
		const { subscription, trigger, production } = await publish();
		subscription.active = false;
		await trigger.listen();
		expect(subscription.url).toContain(production.url);
		expect(subscription.active).toBe(true);
		await scene.deliver(subscription.url, { event: 'form.submitted' });
		await until(() => scene.host.executions.length > 0);
		await scene.host.settle();
		expect(scene.host.executions.map(({ mode }) => mode)).toEqual(['manual']);
		expect(scene.host.log.join()).toContain('the subscription was inactive before it');
		await until(() => !subscription.active);
		expect(stateOf(subscription)).toEqual({ ...production, active: false });
	});

	test('when it is cancelled while the subscription is paused', async () => {
		const { subscription, trigger, production } = await publish();
		subscription.active = false;
		await trigger.listen();
		await trigger.endListening();
		expect(stateOf(subscription)).toEqual({ ...production, active: false });
	});

	test.each([405, 404, 200])('when a proxy answers for n8n with %d', async (status) => {
		const { subscription, trigger, production } = await publish();
		scene.host.proxy = ({ method }) =>
			method === 'POST'
				? undefined
				: {
						status,
						headers: { 'access-control-allow-methods': 'GET, OPTIONS' },
						body: '<html>',
					};
		await trigger.listen();
		expect(subscription.url).toContain(production.url);
		await trigger.endListening();
		expect(stateOf(subscription)).toEqual(production);
	});

	test('when the service writes URLs its own way', async () => {
		scene.quirks.onChange = (record) => {
			record.url = record.url.replace('/webhook?', '/webhook/?').replace('http:', 'HTTP:');
		};
		const { subscription, trigger, production } = await publish();
		await trigger.listen();
		await scene.deliver(subscription.url, { event: 'form.submitted' });
		await until(() => scene.host.executions.length === 2);
		await scene.host.settle();
		expect(new URL(subscription.url).href).toBe(new URL(production.url).href);
	});

	test('and removes what a crashed test run added, events included', async () => {
		const { subscription, trigger, production } = await publish();
		trigger.parameters.events = ['form.enriched'];
		await trigger.listen();
		trigger.kill();
		expect(subscription.events).toHaveLength(2);
		trigger.parameters.events = ['page.version.created'];
		await trigger.listen();
		await trigger.endListening();
		expect(stateOf(subscription)).toEqual(production);
	});
});

describe('two triggers at once', () => {
	test.each(['two workflows', 'one workflow'])('of %s: one of them is told', async (which) => {
		const subscription = scene.subscription(free);
		const workflowId = which === 'one workflow' ? 'shared' : undefined;
		const triggers = [1, 2].map(() => scene.trigger(subscription, { workflowId }));
		const results = await Promise.allSettled(triggers.map(async (each) => await each.publish()));
		expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		const owner = triggers[results.findIndex(({ status }) => status === 'fulfilled')];
		expect(subscription.url).toContain(owner.productionUrl);
		await owner.unpublish();
		expect(stateOf(subscription)).toEqual(free);
	});

	test('of two processes: the look after the change finds the other one', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		const other = 'https://example.com/webhook/other/webhook?token=t1';
		let changes = 0;
		scene.quirks.onChange = (record) => {
			if (changes++ > 0) return undefined;
			const answer = { ...record };
			record.url = other;
			return answer;
		};
		const failure = trigger.publish();
		await expect(failure).rejects.toThrow(/taken at the same moment by https:\/\/example\.com\//);
		await expect(failure).rejects.not.toThrow('t1');
		expect(subscription.url).toBe(other);
	});

	test('of two n8n: the one whose change came first finds the other one', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.3);
		const other = await Host.start();
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription);
		const second = other.trigger({ parameters: first.parameters, credential: first.credential });
		// The second n8n has read "free" before the first one changes it, and is slow to send its change.
		scene.quirks.onChange = (record) => {
			scene.quirks.onChange = undefined;
			const [ours, answer] = [record.url, { ...record }];
			setTimeout(() => {
				Object.assign(record, { url: ours.replace(first.productionUrl, second.productionUrl) });
			}, 200);
			return answer;
		};
		await expect(first.publish()).rejects.toThrow(
			`taken at the same moment by ${new URL(other.url).origin}`,
		);
		expect(subscription.url).toContain(second.productionUrl);
		expect(scene.host.log.join()).toContain('taken at the same moment by');
		other.close();
	});

	test('of which one ends while the other one begins: nothing is lost', async () => {
		const subscription = scene.subscription(free);
		const [first, second] = [1, 2].map(() => scene.trigger(subscription, takeOver));
		await first.publish();
		await Promise.all([first.unpublish(), second.publish()]);
		expect(subscription.url).toContain(second.productionUrl);
		await second.unpublish();
		expect(stateOf(subscription)).toEqual(free);
	});
});

describe('a chain of owners', () => {
	const orders = [
		[0, 1, 2],
		[0, 2, 1],
		[1, 0, 2],
		[1, 2, 0],
		[2, 0, 1],
		[2, 1, 0],
	];

	test.each(orders)('restores the first one, ended in the order %d %d %d', async (...order) => {
		for (const state of [free, used]) {
			const subscription = scene.subscription(state);
			const triggers = [0, 1, 2].map(() => scene.trigger(subscription, takeOver));
			for (const trigger of triggers) await trigger.publish();
			for (const index of order) await triggers[index].unpublish();
			expect(stateOf(subscription)).toEqual(state);
		}
	});

	test.each(orders)('with a test run in it, ended in the order %d %d %d', async (...order) => {
		const subscription = scene.subscription(used);
		const triggers = [0, 1, 2].map(() => scene.trigger(subscription, takeOver));
		await triggers[0].publish();
		await triggers[1].listen();
		await triggers[2].publish();
		const ends = [
			async () => await triggers[0].unpublish(),
			async () => await triggers[1].endListening(),
			async () => await triggers[2].unpublish(),
		];
		for (const index of order) await ends[index]();
		expect(stateOf(subscription)).toEqual(used);
	});

	test('restores the first one after a restart without static data', async () => {
		const subscription = scene.subscription(used);
		const [first, second] = [1, 2].map(() => scene.trigger(subscription, takeOver));
		await first.publish();
		await second.publish();
		await first.unpublish();
		second.staticData = {};
		await second.unpublish();
		expect(stateOf(subscription)).toEqual(used);
	});

	test('leads through the trigger that takes the subscription back', async () => {
		const subscription = scene.subscription(used);
		const [first, second] = [1, 2].map(() => scene.trigger(subscription, takeOver));
		await first.publish();
		await second.publish();
		await first.publish();
		await second.unpublish();
		await first.unpublish();
		expect(stateOf(subscription)).toEqual(used);
	});

	test('makes inactive what nobody knows any more, and says so', async () => {
		const subscription = scene.subscription(used);
		const [first, second] = [1, 2].map(() => scene.trigger(subscription, takeOver));
		await first.publish();
		const { url } = subscription;
		await second.publish();
		first.staticData = {};
		await first.unpublish();
		expect(scene.host.log.join()).toContain('another workflow uses it');
		await second.unpublish();
		expect(subscription).toMatchObject({ url, active: false });
	});

	test('does not fall back to a test run that left the chain', async () => {
		const subscription = scene.subscription(free);
		const [tested, published] = [1, 2].map(() => scene.trigger(subscription, takeOver));
		await published.publish();
		published.staticData = {};
		await tested.listen();
		await published.publish();
		tested.kill();
		await tested.listen();
		await tested.endListening();
		await published.publish();
		Object.assign(subscription, { active: false });
		await published.publish();
		await published.unpublish();
		expect(subscription.url).toContain(published.productionUrl);
		expect(subscription.active).toBe(false);
	});

	test('keeps what a paused trigger knows when its next publishing is refused', async () => {
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription, { options: { onDeactivate: 'pause' } });
		const second = scene.trigger(subscription, takeOver);
		await first.publish();
		await second.publish();
		await first.unpublish();
		await expect(first.publish({ tries: 2 })).rejects.toThrow('turn on Options > Take Over');
		await second.unpublish();
		first.parameters.options = {};
		await first.publish();
		await first.unpublish();
		expect(stateOf(subscription)).toEqual(free);
	});

	test('keeps the pause of a trigger that was unpublished with Pause', async () => {
		const subscription = scene.subscription(used);
		const first = scene.trigger(subscription, {
			options: { takeOver: true, onDeactivate: 'pause' },
		});
		const second = scene.trigger(subscription, takeOver);
		await first.publish();
		const { url } = subscription;
		await second.publish();
		await first.unpublish();
		await second.unpublish();
		expect(subscription).toMatchObject({ url, active: false });
		first.parameters.options = { takeOver: true };
		await first.publish();
		await first.unpublish();
		expect(stateOf(subscription)).toEqual(used);
	});
});

describe('what is restored', () => {
	test('is where a person pointed the subscription, also after Take Over', async () => {
		const { subscription, trigger } = scene.subscribed(free, takeOver);
		await trigger.publish();
		const chosen = { url: 'https://example.com/new', events: null, active: true };
		Object.assign(subscription, chosen);
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toMatchObject({ url: chosen.url, active: true });
	});

	test('is never an older state that n8n brings back', async () => {
		const { subscription, trigger } = scene.subscribed(used, takeOver);
		await trigger.publish();
		const older = structuredClone(trigger.staticData);
		await trigger.unpublish();
		subscription.url = 'https://example.com/new';
		await trigger.publish();
		trigger.staticData = older;
		await trigger.unpublish();
		expect(subscription.active).toBe(false);
		expect(subscription.url).not.toBe(used.url);
		expect(scene.host.log.join()).toContain('unknown, so the trigger made it inactive');
	});

	test('is the subscription that was used, whatever an expression chooses by now', async () => {
		const subscription = scene.subscription(used);
		const other = scene.subscription({ active: false }, 3);
		for (const now of [other.subscriptionId, '', '={{ nowhere.to.be.found }}', '..']) {
			const trigger = scene.trigger(subscription, takeOver);
			await trigger.publish();
			trigger.published!.parameters.subscriptionId = now;
			await trigger.unpublish();
			expect(stateOf(subscription)).toEqual(used);
		}
	});

	test('includes a subscription that only its URL names', async () => {
		const subscription = scene.subscription(used);
		const other = scene.subscription({ active: false }, 3);
		const trigger = scene.trigger(subscription, takeOver);
		await trigger.publish();
		trigger.staticData = {};
		trigger.published!.parameters.subscriptionId = other.subscriptionId;
		await trigger.unpublish();
		expect(subscription.active).toBe(false);
	});

	test('is in doubt when nothing is remembered and the service does not list subscriptions', async () => {
		const subscription = scene.subscription(used);
		const other = scene.subscription({ active: false }, 3);
		const trigger = scene.trigger(subscription, takeOver);
		await trigger.publish();
		trigger.staticData = {};
		trigger.published!.parameters.subscriptionId = other.subscriptionId;
		scene.sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		await expect(trigger.unpublish()).rejects.toThrow('403');
		expect(scene.host.log.join()).toContain(
			'Page Audience Trigger: the subscriptions could not be listed',
		);
		await trigger.unpublish();
		expect(subscription.active).toBe(false);
	});

	test.each(['pause', 'leave'])('is known after %s and a rename', async (onDeactivate) => {
		const { subscription, trigger } = scene.subscribed(used, {
			options: { takeOver: true, onDeactivate },
		});
		await trigger.publish();
		await trigger.unpublish();
		trigger.name = 'On form';
		trigger.parameters.options = {};
		await trigger.publish();
		await trigger.unpublish();
		expect(stateOf(subscription)).toEqual(used);
	});

	test.each(['pause', 'leave'])(
		'is not what another publishing finds after %s',
		async (onDeactivate) => {
			const subscription = scene.subscription(used);
			const next = scene.subscription({ active: false }, 3);
			const trigger = scene.trigger(subscription, { options: { takeOver: true, onDeactivate } });
			await trigger.publish();
			await trigger.unpublish();
			const stayed = stateOf(subscription);
			trigger.parameters = {
				...trigger.parameters,
				subscriptionId: next.subscriptionId,
				options: {},
			};
			await trigger.publish();
			await trigger.unpublish();
			expect(stateOf(subscription)).toEqual(stayed);
		},
	);

	test('is the subscription that stayed and is used again, whatever an expression chooses', async () => {
		const subscription = scene.subscription(used);
		const trigger = scene.trigger(subscription, {
			options: { takeOver: true, onDeactivate: 'leave' },
		});
		await trigger.publish();
		await trigger.unpublish();
		trigger.parameters.options = {};
		await trigger.publish();
		trigger.published!.parameters.subscriptionId = '';
		await trigger.unpublish();
		expect(stateOf(subscription)).toEqual(used);
	});

	test('is restored once the stay is over', async () => {
		const subscription = scene.subscription(used);
		const next = scene.subscription({ active: false }, 3);
		const trigger = scene.trigger(subscription, {
			options: { takeOver: true, onDeactivate: 'pause' },
		});
		await trigger.publish();
		await trigger.unpublish();
		trigger.parameters.options = {};
		await trigger.publish();
		// Unpublishing fails, and another subscription is published: the first one is not left behind.
		scene.sandbox.faults.add({ kind: 'status', status: 403, times: 2 });
		await expect(trigger.unpublish()).rejects.toThrow('403');
		trigger.parameters.subscriptionId = next.subscriptionId;
		await trigger.publish();
		expect(stateOf(subscription)).toEqual(used);
	});

	test('is forgotten when the subscription delivers elsewhere', async () => {
		const { subscription, trigger } = scene.subscribed(used, takeOver);
		await trigger.publish();
		const { url } = subscription;
		subscription.url = 'https://example.com/new';
		await trigger.unpublish();
		// Somebody pastes the old URL back: nothing older may come out of it.
		Object.assign(subscription, { url, active: true });
		await trigger.unpublish();
		expect(subscription).toMatchObject({ url, active: false });
	});
});

describe('a service that writes URLs its own way', () => {
	const ways: Array<[string, (url: string) => string]> = [
		['adds a slash to the path', (url) => url.replace(/(\?|$)/, '/$1')],
		['lowers all letters', (url) => url.toLowerCase()],
		['writes the scheme in capitals', (url) => url.replace('http', 'HTTP')],
		['encodes letters', (url) => url.replace(/\/webhook(\?|$)/, '/%77ebhook$1')],
		['writes the prefix in capitals', (url) => url.replace('/webhook', '/WEBHOOK')],
	];

	test.each(ways)('and %s still delivers, and is restored', async (_, write) => {
		const subscription = scene.subscription({ ...used, url: 'https://example.com/crm' });
		scene.quirks.onChange = (record) => {
			if (!record.url.includes('example.com')) record.url = write(record.url);
		};
		const trigger = scene.trigger(subscription, takeOver);
		await trigger.publish();
		expect(await scene.deliver(subscription.url, { a: 1 })).toBe(200);
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toMatchObject({ url: 'https://example.com/crm', active: true });
	});

	test.each(ways.slice(0, 2))(
		'and %s: a failed publishing says what really happened',
		async (_, write) => {
			const subscription = scene.subscription({ ...used, url: 'https://example.com/crm' });
			let changes = 0;
			scene.quirks.onChange = (record) => {
				record.url = write(record.url);
				if (changes++ === 0) record.active = false;
			};
			const trigger = scene.trigger(subscription, takeOver);
			await expect(trigger.publish()).rejects.toMatchObject({
				message: 'The service did not accept the new active of the webhook subscription',
				description: expect.stringContaining('The trigger restored the subscription.') as string,
			});
			expect(subscription.url).toBe(write('https://example.com/crm'));
			expect(subscription.active).toBe(true);
		},
	);

	test.each([
		[
			'raises the letters of the query',
			'does not keep',
			(url: string) => url.replace(/\?.*/, (q) => q.toUpperCase()),
		],
		['encodes the query twice', 'changes', (url: string) => url.replace(/token=./, 'token=%2541')],
	])('and %s fails to begin, and names Verify Token', async (_, does, write) => {
		const subscription = scene.subscription(used);
		scene.quirks.onChange = (record) => {
			if (!record.url.includes('example.com')) record.url = write(record.url);
		};
		const trigger = scene.trigger(subscription, takeOver);
		for (const begin of ['publish', 'listen'] as const) {
			await expect(trigger[begin]()).rejects.toMatchObject({
				message: `The service ${does} the query of a webhook URL. ${withoutToken}`,
				description: 'The trigger restored the subscription.',
			});
			expect(stateOf(subscription)).toEqual(used);
		}
	});

	test('and changes a path that n8n then does not find fails to publish', async () => {
		const subscription = scene.subscription(used);
		scene.quirks.onChange = (record) => {
			if (!record.url.includes('example.com')) record.url = record.url.toLowerCase();
		};
		const trigger = scene.trigger(subscription, { ...takeOver, id: 'MixedCase' });
		await expect(trigger.publish()).rejects.toThrow('did not accept the new url');
		expect(stateOf(subscription)).toEqual(used);
	});
});

describe('two n8n under path prefixes of one origin', () => {
	test('with the same webhook ID leave each other the subscription', async () => {
		const subscription = scene.subscription(free);
		const [one, two] = ['/one', '/two'].map((prefix) =>
			scene.trigger(subscription, { address: scene.host.url + prefix, id: 'same' }),
		);
		await one.publish();
		const { url } = subscription;
		await expect(two.publish()).rejects.toThrow('turn on Options > Take Over');
		await two.unpublish();
		expect(subscription).toMatchObject({ url, active: true });
		await one.unpublish();
		expect(stateOf(subscription)).toEqual(free);
	});
});

describe('a change that is made late', () => {
	test('counts as made, although the trigger had stopped waiting', async () => {
		const { subscription, trigger } = scene.subscribed(used, takeOver);
		let changes = 0;
		scene.quirks.onChange = async () => {
			// Longer than the trigger waits for data.
			if (changes++ < 2) await new Promise((resolve) => setTimeout(resolve, 8_500));
		};
		await trigger.publish();
		expect(subscription.url).toContain(trigger.productionUrl);
		expect(scene.changes.length).toBeLessThanOrEqual(2);
		scene.quirks.onChange = undefined;
		await trigger.unpublish();
		expect(stateOf(subscription)).toEqual(used);
	}, 60_000);
});

test('undoing leaves null events alone that were not changed', async () => {
	const { subscription, trigger } = scene.subscribed({ ...used, events: null }, takeOver);
	scene.sandbox.faults.add({ kind: 'resetBefore', method: 'PATCH', times: 2 });
	const error: unknown = await trigger.publish().catch((caught: unknown) => caught);
	expect(error).toMatchObject({
		description: expect.stringContaining('The subscription is unchanged.') as string,
	});
	expect(JSON.stringify(error)).not.toContain('undefined');
	expect(subscription).toMatchObject({ events: null, url: used.url });
	expect(scene.changes).toHaveLength(2);
	expect(scene.host.log.join()).not.toContain('could not');
});
