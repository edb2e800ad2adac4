import { engines, morePages, type Scene, setUpScenes } from './scene.mts';

const open = setUpScenes();

const denied = 'The API key has no access to this (403)';
const noAddress = 'The Base URL in the credential is not a web address';
const down = (scene: Scene) => scene.respond({ status: 403, body: 'no' });

describe('publishing', () => {
	const respond =
		(...statuses: Array<number | undefined>) =>
		({ service }: Scene) => {
			service.onRequest = async ({ path }) => {
				const status = statuses[Number(/page_(\d)/.exec(path)?.[1]) - 1];
				return await Promise.resolve(status === undefined ? status : { status, body: 'no' });
			};
		};
	const gone = (page: string) => `Page "${page}" was not found (404)`;

	test.each<[message: string, fail: (scene: Scene) => unknown]>([
		[`Page "page_1": ${denied}; ${gone('page_2')}; ${gone('page_3')}`, respond(403, 404, 404)],
		[`Page "page_1": ${denied}; Page "page_2": ${denied}`, respond(403, 403)],
		[noAddress, ({ workflow }) => (workflow.credential.baseUrl = 'ftp://api.example')],
		[
			'Options > More Pages > Page 2 is blank: fill it in or remove it',
			({ workflow: { parameters } }) =>
				Object.assign(parameters, { options: morePages('page_2', ' ') }),
		],
	])('is refused each time with the reason, and possible afterwards: %s', async (message, fail) => {
		const options = { startFrom: 'all', ...morePages('page_2', 'page_3') };
		const scene = open({ event: 'newSession', options });
		const { workflow } = scene;
		const { parameters, credential } = structuredClone({ ...workflow });
		scene.addMany(2);
		fail(scene);
		for (let tried = 0; tried < 3; tried++)
			await expect(workflow.activate()).rejects.toMatchObject({
				message,
				...(message.startsWith('Page') && { description: expect.any(String) as string }),
			});
		expect(workflow.staticData).toEqual({});
		Object.assign(workflow, { parameters, credential });
		scene.recover();
		await workflow.activate();
		await scene.poll();
		expect(scene.ids).toEqual(['record 0', 'record 1']);
		expect(workflow.failures).toEqual([]);
	});

	test('again, while the service is down, goes on from what is known, but with no further page', async () => {
		const scene = open({ event: 'newSession' });
		const { workflow } = scene;
		await workflow.activate();
		workflow.deactivate();
		down(scene);
		const { parameters } = workflow;
		workflow.parameters = { ...parameters, options: morePages('page_2') };
		for (const mode of ['activate', 'update', 'update'] as const)
			await expect(workflow.activate(mode)).rejects.toThrow(denied);
		workflow.parameters = parameters;
		// n8n tries again when the first poll throws.
		await workflow.activate().catch(async () => await workflow.activate());
		scene.recover();
		scene.add('new');
		await scene.poll();
		expect(scene.ids).toEqual(['new']);
	});
});

test.each(engines)(
	'an outage is told once, the next one again, and one that n8n starts in ends no trigger (%s)',
	async (engine) => {
		const scene = open({ event: 'newSession', engine });
		const { workflow } = scene;
		const { credential } = workflow;
		await workflow.activate();
		await scene.poll();
		scene.add('first');
		workflow.credential = { ...credential, baseUrl: 'no address' };
		await scene.poll(4);
		workflow.credential = credential;
		await scene.poll();
		for (const id of ['second', 'third']) {
			scene.add(id);
			down(scene);
			if (id === 'third') await workflow.kill();
			await scene.poll(4);
			scene.recover();
			await scene.poll();
		}
		const told = workflow.failures.map(({ message }) => message);
		expect(told).toEqual([noAddress, denied, denied]);
		expect(workflow.log).toContain(
			`Page Audience Polling Trigger: ${denied}. The next poll retries.`,
		);
		expect(scene.ids).toEqual(['first', 'second', 'third']);
	},
);

test('n8n that starts in an outage, and knows nothing, notes what exists after it', async () => {
	const scene = open({ event: 'newPerson' });
	scene.addMany(2);
	down(scene);
	await scene.workflow.kill();
	scene.recover();
	await scene.poll();
	scene.add('new');
	await scene.poll();
	expect(scene.ids).toEqual(['new']);
});

test('the API key, pasted into a field, stands in no message and no line of the log', async () => {
	const secret = 'pk_live_0123456789abcdef';
	const scene = open({ event: 'newSession', options: morePages(secret) });
	const { workflow } = scene;
	workflow.credential.apiKey = ` ${secret}\n`;
	const fail = () => scene.respond({ status: 404, body: {} }, new RegExp(secret));
	fail();
	const failure: unknown = await workflow.activate().catch((error: unknown) => error);
	scene.recover();
	await workflow.activate();
	fail();
	await scene.poll(2);
	const error = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
	for (const told of [error, workflow.log.join()]) {
		expect(told).toContain('***');
		expect(told).not.toContain(secret);
	}
});
