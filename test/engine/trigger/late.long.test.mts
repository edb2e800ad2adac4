import { runOnFakeClock } from '../properties/clock.mts';
import { publish, unpublish } from './model/commands.mts';
import type { Habit, Lateness, Subscription } from './model/service.mts';
import { type Workflow, World } from './model/world.mts';

const crm: Subscription = {
	url: 'https://crm.example/in?key=s3cret',
	events: ['form.enriched'],
	active: true,
};

interface Scene {
	world: World;
	id: string;
	one: Workflow;
	two: Workflow;
	/** Changes that were sent. */
	patches: unknown[];
	/** Whether the subscription is as the CRM left it, once all is made. */
	isBack: () => Promise<boolean>;
}

/** Plays a story of people with a service that is late, in fake time. */
async function play(
	story: (scene: Scene) => Promise<void>,
	{ lateness, habit = 'none' as Habit }: { lateness?: Partial<Lateness>; habit?: Habit } = {},
): Promise<void> {
	const world = new World([crm, crm], 'new', habit);
	const patches: unknown[] = [];
	const answer = world.service.answer.bind(world.service);
	world.service.answer = async (request) => {
		if (request.method === 'PATCH') patches.push(request.body);
		return await answer(request);
	};
	// As late as it says, each time.
	world.service.draw = () => 1;
	Object.assign(world.service, { lateness: { shows: 0, makes: 0, ...lateness } });
	const [id] = world.ids;
	const isBack = async () => {
		await world.catchUp();
		const { url, events, active } = world.get(id);
		return JSON.stringify({ url, events, active }) === JSON.stringify(crm);
	};
	const [one, two] = world.workflows;
	try {
		await runOnFakeClock(async () => await story({ world, id, one, two, patches, isBack }), {
			mostMs: 3_600_000,
		});
	} finally {
		world.close();
	}
}

const isHere = ({ world, id }: Scene, { trigger }: Workflow) => {
	const { url, active } = world.get(id);
	return active && url.startsWith(trigger.productionUrl);
};
const told = ({ world }: Scene) => [...world.messages, ...world.host.log].join('\n');

describe.each([50, 1_000, 5_000])('a service that shows changes %d ms late', (shows) => {
	const late = { lateness: { shows } };

	test('does not deafen a changed trigger that is published again', async () => {
		await play(async (scene) => {
			const { world, one, id } = scene;
			await publish(world, one);
			await world.catchUp();
			one.trigger.parameters.events = ['page.version.created'];
			await publish(world, one);
			expect(isHere(scene, one)).toBe(true);
			expect(world.get(id).events).toEqual(['page.version.created']);
			expect(told(scene)).toBe('');
		}, late);
	});

	test('is no other owner, and Take Over does not swing', async () => {
		await play(async (scene) => {
			const { world, one, patches } = scene;
			await publish(world, one);
			expect(isHere(scene, one)).toBe(true);
			expect(patches).toHaveLength(1);
			expect(told(scene)).toBe('');
		}, late);
	});

	test('is no other owner for a test run, and cancelling it restores', async () => {
		await play(async (scene) => {
			const { world, one, isBack } = scene;
			await world.tell(async () => await one.trigger.listen());
			expect(one.trigger.isListening).toBe(true);
			await one.trigger.endListening();
			expect(await isBack()).toBe(true);
			expect(told(scene)).toBe('');
		}, late);
	});

	test('gets the subscription back when the workflow is unpublished at once', async () => {
		await play(async (scene) => {
			const { world, one, isBack } = scene;
			await publish(world, one);
			await unpublish(world, one);
			expect(await isBack()).toBe(true);
			expect(told(scene)).toBe('');
		}, late);
	});

	test('gets it back when an event ends a test run', async () => {
		await play(async (scene) => {
			const { world, one, id, isBack } = scene;
			await one.trigger.listen();
			const { pathname, search } = new URL(world.get(id).url);
			await world.host.handle({
				method: 'POST',
				url: pathname + search,
				headers: { 'content-type': 'application/json' },
				body: Buffer.from('{"type":"form.submitted"}'),
			});
			await world.host.settle();
			expect(world.host.executions).toHaveLength(1);
			expect(await isBack()).toBe(true);
		}, late);
	});

	test('keeps the chain of two workflows that take over from each other', async () => {
		await play(async (scene) => {
			const { world, one, two, isBack } = scene;
			await publish(world, one);
			await publish(world, two);
			await unpublish(world, one);
			await world.catchUp();
			expect(isHere(scene, two)).toBe(true);
			await unpublish(world, two);
			expect(await isBack()).toBe(true);
		}, late);
	});
});

test('a list that is late hides no subscription whose saved settings are lost', async () => {
	await play(
		async (scene) => {
			const { world, one, id } = scene;
			world.service.draw = () => 0;
			await publish(world, one);
			one.trigger.staticData = {};
			world.service.draw = () => 1;
			await unpublish(world, one);
			await world.catchUp();
			expect(world.get(id).active).toBe(false);
			expect(told(scene)).toContain('made it inactive');
		},
		{ lateness: { shows: 5_000 } },
	);
});

test('a service that responds to a change with the settings from before is asked again', async () => {
	await play(
		async (scene) => {
			const { world, id, one, patches, isBack } = scene;
			const answer = world.service.answer.bind(world.service);
			world.service.answer = async (request) => {
				const body = { ...world.get(id) };
				const reply = await answer(request);
				return request.method === 'PATCH' ? { ...reply, body } : reply;
			};
			await publish(world, one);
			expect(isHere(scene, one)).toBe(true);
			await unpublish(world, one);
			expect(await isBack()).toBe(true);
			expect(patches).toHaveLength(2);
			expect(told(scene)).toBe('');
		},
		{ lateness: { shows: 1_000 } },
	);
});

test('a service that never shows a change is used, and the log says so', async () => {
	await play(
		async (scene) => {
			const { world, one } = scene;
			await publish(world, one);
			expect(one.isConnected).toBe(true);
			expect(told(scene)).toContain('still shows the old settings');
		},
		{ lateness: { shows: 3_600_000 } },
	);
});

describe('a gateway that responds with 504, and a change that is made later', () => {
	test('connects, and the settings from before are not forgotten', async () => {
		await play(async (scene) => {
			const { world, one, isBack } = scene;
			world.service.troubles = [undefined, 'gateway', 'gateway'];
			await publish(world, one);
			await world.catchUp();
			expect(isHere(scene, one)).toBe(true);
			await unpublish(world, one);
			expect(await isBack()).toBe(true);
			expect(told(scene)).not.toContain('settings are unknown');
		});
	});

	test('is undone when publishing is given up', async () => {
		await play(async (scene) => {
			const { world, one, isBack } = scene;
			const { trigger } = one;
			// Nothing responds any more after the change was sent.
			world.service.troubles = [undefined, 'gateway', ...Array<'down'>(12).fill('down')];
			expect(await world.tell(async () => await trigger.publish({ tries: 1 }))).toBe(false);
			world.service.troubles = [];
			await world.catchUp();
			await world.tell(async () => await trigger.unpublish());
			expect(await isBack()).toBe(true);
			expect(told(scene)).not.toContain('settings are unknown');
		});
	});

	test('restores when unpublishing gets it', async () => {
		await play(async (scene) => {
			const { world, one, isBack } = scene;
			await publish(world, one);
			await world.catchUp();
			// The subscription, and both tries of the change.
			world.service.troubles = [undefined, 'gateway', 'gateway'];
			await unpublish(world, one);
			expect(one.isLeft).toBe(false);
			expect(await isBack()).toBe(true);
		});
	});
});

test.each(['late', 'gateway', 'lost'] as const)(
	'a change that was %s does not overtake the next one',
	async (trouble) => {
		await play(async (scene) => {
			const { world, one, isBack } = scene;
			world.service.troubles = [undefined, trouble, 'gateway'];
			await publish(world, one);
			await unpublish(world, one);
			expect(await isBack()).toBe(true);
		});
	},
);

describe('a service that writes http: for https:', () => {
	test('fails to publish with what to do, and gets the subscription back', async () => {
		await play(
			async (scene) => {
				const { world, one } = scene;
				await publish(world, one);
				expect(world.messages.join()).toContain('changes the webhook URL from https:// to http://');
				expect(world.messages.join()).toContain('Set WEBHOOK_URL');
				expect(told(scene)).not.toContain('another n8n');
				await world.catchUp();
				expect(world.get(scene.id)).toMatchObject({
					...crm,
					url: crm.url.replace('https', 'http'),
				});
			},
			{ habit: 'no https' },
		);
	});
});

describe('a service that cuts URLs', () => {
	const chained = async ({ world, one, two }: Scene) => {
		await publish(world, one);
		await publish(world, two);
	};

	test.each(['255 characters', '512 characters'] as const)(
		'to %s fails where the URL must name another workflow, and says how long it is',
		async (habit) => {
			await play(
				async (scene) => {
					const { world, one, two, isBack } = scene;
					await chained(scene);
					expect(world.messages.join()).toMatch(
						new RegExp(
							`cuts the webhook URL to ${habit}.*The URL has \\d+ characters.*no other workflow`,
						),
					);
					expect(world.messages.join()).not.toContain('values of this item');
					await world.catchUp();
					expect(isHere(scene, one)).toBe(true);
					await unpublish(world, two);
					await unpublish(world, one);
					expect(await isBack()).toBe(true);
				},
				{ habit },
			);
		},
	);

	test('lets a test run begin, which needs the rest only after a crash', async () => {
		await play(
			async (scene) => {
				const { world, one, isBack } = scene;
				await one.trigger.listen();
				expect(world.get(scene.id).url).toHaveLength(255);
				await one.trigger.endListening();
				expect(await isBack()).toBe(true);
			},
			{ habit: '255 characters' },
		);
	});

	test('gets back what was set in it, and not in the one of a test run before', async () => {
		await play(
			async ({ world, one, isBack }) => {
				const { trigger } = one;
				const { parameters } = trigger;
				const [, other] = world.ids;
				world.edit(other, { url: 'https://crm.example/other' });
				const subscriptionId = { __rl: true, mode: 'list', value: other };
				trigger.parameters = { ...parameters, subscriptionId };
				await trigger.listen();
				// Its end cannot restore anything.
				world.service.troubles = Array<'down'>(20).fill('down');
				await trigger.endListening();
				world.service.troubles = [];
				trigger.parameters = parameters;
				await trigger.listen();
				await publish(world, one);
				await trigger.endListening();
				await unpublish(world, one);
				expect(await isBack()).toBe(true);
				expect(world.get(other).url).toBe('https://crm.example/other');
			},
			{ habit: '255 characters' },
		);
	});

	test('names the Test Subscription where a test runs beside production', async () => {
		await play(
			async (scene) => {
				const { world, one } = scene;
				await publish(world, one);
				await world.tell(async () => await one.trigger.listen());
				expect(world.messages.join()).toContain('choose a Test Subscription');
				await world.catchUp();
				expect(isHere(scene, one)).toBe(true);
			},
			{ habit: '255 characters' },
		);
	});
});

describe('a service that refuses long URLs', () => {
	const refuseLong = ({ world }: Scene, most: number) => {
		const answer = world.service.answer.bind(world.service);
		world.service.answer = async (request) => {
			const { url = '' } = (request.body ?? {}) as { url?: string };
			if (url.length <= most) return await answer(request);
			return { status: 422, body: { message: 'url is too long' } };
		};
	};

	test('lets a test run begin', async () => {
		await play(async (scene) => {
			refuseLong(scene, 255);
			const { world, one, isBack } = scene;
			expect(await world.tell(async () => await one.trigger.listen())).toBe(true);
			await one.trigger.endListening();
			expect(await isBack()).toBe(true);
		});
	});

	test('is told with the length, and with what helps', async () => {
		await play(async (scene) => {
			refuseLong(scene, 512);
			const { world, one, two } = scene;
			await publish(world, one);
			await publish(world, two);
			expect(world.messages.join()).toMatch(
				/422.*The URL has \d+ characters.*no other workflow uses/,
			);
			expect(world.messages.join()).not.toContain('values of this item');
			expect(isHere(scene, one)).toBe(true);
		});
	});
});

describe('an outage while a workflow is unpublished', () => {
	const strand = async ({ world, one }: Scene) => {
		await publish(world, one);
		await world.catchUp();
		world.service.troubles = Array<'down'>(20).fill('down');
		await unpublish(world, one);
		world.service.troubles = [];
		expect(one.isLeft).toBe(true);
	};

	test.each(['publishing', 'test'])('is mended by the next %s of another trigger', async (what) => {
		await play(async (scene) => {
			const { world, two, isBack } = scene;
			await strand(scene);
			const [, other] = world.ids;
			two.trigger.parameters.subscriptionId = { __rl: true, mode: 'list', value: other };
			if (what === 'test') await two.trigger.listen();
			else await publish(world, two);
			expect(await isBack()).toBe(true);
		});
	});

	test('is told in the log while the service still refuses, and the other trigger is published', async () => {
		await play(async (scene) => {
			const { world, id, one, two } = scene;
			await strand(scene);
			const [, other] = world.ids;
			two.trigger.parameters.subscriptionId = { __rl: true, mode: 'list', value: other };
			const answer = world.service.answer;
			world.service.answer = async (request) =>
				request.path.includes(id)
					? { status: 403, body: { message: 'Not allowed' } }
					: await answer(request);
			const before = world.host.log.length;
			await publish(world, two);
			expect(one.isLeft).toBe(true);
			expect(world.host.log.slice(before)).toEqual([
				expect.stringMatching(
					`webhook subscription ${id}: could not be restored: .*\\(403\\)`,
				) as string,
			]);
		});
	});

	test('is not mended where another account is', async () => {
		await play(async (scene) => {
			const { world, two, one } = scene;
			await strand(scene);
			const [, other] = world.ids;
			two.trigger.parameters.subscriptionId = { __rl: true, mode: 'list', value: other };
			two.trigger.credential = { ...two.trigger.credential, apiKey: 'another-key' };
			await publish(world, two);
			expect(isHere(scene, one)).toBe(true);
		});
	});

	test('is not mended twice, nor while the trigger is published again', async () => {
		await play(async (scene) => {
			const { world, one, two, patches, isBack } = scene;
			await strand(scene);
			await publish(world, one);
			const [, other] = world.ids;
			two.trigger.parameters.subscriptionId = { __rl: true, mode: 'list', value: other };
			patches.length = 0;
			await publish(world, two);
			expect(patches).toHaveLength(1);
			expect(isHere(scene, one)).toBe(true);
			await unpublish(world, one);
			expect(await isBack()).toBe(true);
		});
	});
});

describe('an outage while a publishing is undone', () => {
	test.each(['older', 'new'] as const)(
		'loses no settings from before (%s engine)',
		async (engine) => {
			await play(async (scene) => {
				const { world, one, isBack } = scene;
				world.service.troubles = [
					undefined,
					'gateway',
					'gateway',
					...Array<'down'>(12).fill('down'),
				];
				await world.tell(async () => await one.trigger.publish({ engine, tries: 1 }));
				world.service.troubles = [];
				await world.catchUp();
				await world.tell(async () => await one.trigger.publish({ engine, tries: 1 }));
				await world.tell(async () => await one.trigger.unpublish());
				expect(await isBack()).toBe(true);
				expect(told(scene)).not.toContain('settings are unknown');
			});
		},
	);

	test('of a second workflow restores the first owner, whoever is unpublished next', async () => {
		await play(
			async ({ world, one, two, isBack }) => {
				await publish(world, one);
				await world.catchUp();
				world.service.troubles = [undefined, undefined, ...Array<'down'>(12).fill('down')];
				await world.tell(async () => await two.trigger.publish({ tries: 1 }));
				world.service.troubles = [];
				await unpublish(world, one);
				await world.tell(async () => await two.trigger.unpublish());
				expect(await isBack()).toBe(true);
			},
			{ habit: '255 characters' },
		);
	});
});

test('a pause that an outage kept from happening is made later, and not turned into a restore', async () => {
	await play(async ({ world, id, one }) => {
		one.trigger.parameters.options = { takeOver: true, onDeactivate: 'pause' };
		await publish(world, one);
		await world.catchUp();
		world.service.troubles = Array<'down'>(20).fill('down');
		await unpublish(world, one);
		world.service.troubles = [];
		one.trigger.parameters.subscriptionId = { __rl: true, mode: 'list', value: world.ids[1] };
		await publish(world, one);
		await world.catchUp();
		expect(world.get(id).active).toBe(false);
		expect(world.get(id).url).toContain(one.trigger.productionUrl);
	});
});

test('two services whose subscriptions have one ID do not mix', async () => {
	await play(async ({ world, id, one, two }) => {
		const other = structuredClone(crm);
		const answer = world.service.answer.bind(world.service);
		world.service.answer = async (request) => {
			if (!request.path.startsWith('/staging')) return await answer(request);
			if (request.method === 'PATCH') Object.assign(other, request.body);
			const record = { subscriptionId: id, ...other };
			return { status: 200, body: request.path.endsWith(id) ? record : [record] };
		};
		two.trigger.credential.baseUrl += '/staging';
		await publish(world, one);
		await publish(world, two);
		await unpublish(world, two);
		await world.catchUp();
		expect(other).toEqual(crm);
	});
});

test('what another n8n took at the same moment is left to it, also if the service shows that late', async () => {
	await play(async ({ world, id, one }) => {
		const receiver = 'https://n8n-b.example/webhook/other/webhook?token=abc';
		const answer = world.service.answer.bind(world.service);
		let patches = 0;
		let looks = 0;
		Object.assign(world.service, { lateness: { shows: 1_000, makes: 0 } });
		world.service.draw = () => (looks > 1 ? 1 : 0);
		world.service.answer = async (request) => {
			if (request.method === 'PATCH') patches++;
			else if (patches > 0 && ++looks === 1)
				world.edit(id, { url: receiver, events: ['form.submitted'], active: true });
			return await answer(request);
		};
		await world.tell(async () => await one.trigger.publish({ tries: 1 }));
		await world.catchUp();
		expect(world.get(id).url).toBe(receiver);
	});
});

test('a person does not wait long for what other triggers left behind', async () => {
	const world = new World(
		Array.from({ length: 12 }, () => crm),
		'new',
	);
	try {
		await runOnFakeClock(
			async () => {
				const [id, ...others] = world.ids;
				const triggers = others.map((value, n) =>
					world.host.trigger({
						id: `left-behind-${n}`,
						parameters: {
							subscriptionId: { __rl: true, mode: 'list', value },
							events: ['form.submitted'],
							options: { takeOver: true },
						},
						credential: world.workflows[0].trigger.credential,
					}),
				);
				for (const trigger of triggers) await trigger.publish();
				const answer = world.service.answer.bind(world.service);
				world.service.answer = async (request) =>
					request.method === 'PATCH' && !request.path.endsWith(id)
						? { status: 504, body: {} }
						: await answer(request);
				for (const trigger of triggers) await world.tell(async () => await trigger.unpublish());
				const [{ trigger }] = world.workflows;
				const start = performance.now();
				await trigger.listen();
				expect(performance.now() - start).toBeLessThan(10_000);
				await trigger.endListening();
				await world.catchUp();
				expect(world.get(id)).toMatchObject(crm);
			},
			{ mostMs: 3_600_000 },
		);
	} finally {
		world.close();
	}
});

describe('messages', () => {
	test('say nothing about length where the service gives no record, or another reason', async () => {
		for (const reply of [
			{ status: 200, body: { success: true } },
			{ status: 422, body: { message: 'events: form.submitted is not part of your plan' } },
		]) {
			await play(async ({ world, one, two }) => {
				await publish(world, one);
				await world.catchUp();
				const answer = world.service.answer.bind(world.service);
				world.service.answer = async (request) =>
					request.method === 'PATCH' ? reply : await answer(request);
				await publish(world, two);
				expect(world.messages.join()).not.toBe('');
				expect(world.messages.join()).not.toMatch(/characters|cuts/);
			});
		}
	});

	test('hold no secret that the service repeats without its URL', async () => {
		await play(async (scene) => {
			const { world, one } = scene;
			const answer = world.service.answer.bind(world.service);
			world.service.answer = async (request) => {
				if (request.method !== 'PATCH') return await answer(request);
				const { searchParams } = new URL((request.body as Subscription).url);
				const token = searchParams.get('token');
				return { status: 422, body: { message: `token=${token} is no value, nor is ${token}` } };
			};
			await publish(world, one);
			expect(told(scene)).toContain('is no value');
			expect(told(scene)).not.toMatch(/[\da-f]{32}/);
		});
	});
});
