import { type Scene, setUpScene, until } from './scene.mts';

const scene = setUpScene();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };
const used = { ...free, url: 'https://example.com/crm?key=k1', active: true };
const takeOver = { options: { takeOver: true } };
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
		scene.sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		await expect(trigger.unpublish()).rejects.toThrow('403');
		trigger.parameters.subscriptionId = next.subscriptionId;
		await trigger.publish();
		expect(stateOf(subscription)).toEqual(used);
	});

	test("is kept while the subscription still delivers to n8n's earlier address", async () => {
		const { subscription, trigger } = scene.subscribed(used, takeOver);
		trigger.base = 'https://old.example.com';
		await trigger.publish();
		trigger.base = scene.host.url;
		await trigger.unpublish();
		expect(scene.host.log.join()).toContain('now delivers to https://old.example.com/webhook/');
		await trigger.publish();
		await trigger.unpublish();
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
