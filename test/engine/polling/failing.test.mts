import type { NodeOperationError } from 'n8n-workflow';
import { engines, morePages, play, type Scene } from './scene.mts';

const denied = 'The API key has no access to this (403)';
const noAddress = 'The Base URL in the credential is not a web address';
const down = (scene: Scene) => scene.respond({ status: 403, body: 'no' });
const setBaseUrl = ({ workflow }: Scene, baseUrl: string) =>
	(workflow.credential.baseUrl = baseUrl);

describe('publishing', () => {
	test.each<[message: string, fail: (scene: Scene) => unknown]>([
		['The API key was rejected (401)', (scene) => scene.respond({ status: 401, body: 'no' })],
		[
			`Page "page_1": ${denied}; Page "page_2" was not found (404)`,
			({ service }) => {
				service.onRequest = async ({ path }) =>
					await Promise.resolve({ status: path.includes('page_1') ? 403 : 404, body: 'no' });
			},
		],
		[noAddress, (scene) => setBaseUrl(scene, 'ftp://api.example')],
		[
			'Options > More Pages > Page 2 is blank: fill it in or remove it',
			({ workflow: { parameters } }) =>
				Object.assign(parameters, { options: morePages('page_2', ' ') }),
		],
	])('is refused each time with the reason, and possible afterwards: %s', async (message, fail) => {
		const options = { startFrom: 'all', ...morePages('page_2') };
		await play({ event: 'newSession', options }, async (scene) => {
			const { workflow } = scene;
			const { parameters, credential } = structuredClone({ ...workflow });
			scene.addMany(2);
			fail(scene);
			for (let tried = 0; tried < 3; tried++)
				await expect(workflow.activate()).rejects.toMatchObject({ message });
			expect(workflow.staticData).toEqual({});
			Object.assign(workflow, { parameters, credential });
			scene.recover();
			await workflow.activate();
			await scene.poll();
			expect(scene.ids).toEqual(['record 0', 'record 1']);
			expect(workflow.failures).toEqual([]);
		});
	});

	test.each(['activate', 'update'] as const)(
		'is refused if one of its pages fails that was never read (%s)',
		async (mode) => {
			await play({ event: 'newSession' }, async (scene) => {
				const { workflow } = scene;
				await workflow.activate();
				workflow.deactivate();
				workflow.parameters = { ...workflow.parameters, options: morePages('page_2') };
				down(scene);
				await expect(workflow.activate(mode)).rejects.toThrow(denied);
			});
		},
	);

	test('again, while the service is down, goes on from what is known', async () => {
		await play({ event: 'newSession' }, async (scene) => {
			const { workflow } = scene;
			await workflow.activate();
			workflow.deactivate();
			down(scene);
			// n8n tries again when the first poll throws.
			await workflow.activate().catch(async () => await workflow.activate());
			scene.recover();
			scene.add('new');
			await scene.poll();
			expect(scene.ids).toEqual(['new']);
		});
	});
});

test.each(engines)(
	'an outage is told once, the next one again, and one that n8n starts in ends no trigger (%s)',
	async (engine) => {
		await play({ event: 'newSession', engine }, async (scene) => {
			const { workflow } = scene;
			await workflow.activate();
			await scene.poll();
			scene.add('first');
			setBaseUrl(scene, 'no address');
			await scene.poll(4);
			setBaseUrl(scene, 'https://api.example');
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
		});
	},
);

test('n8n that starts in an outage, and knows nothing, notes what exists after it', async () => {
	await play({ event: 'newPerson' }, async (scene) => {
		scene.addMany(2);
		down(scene);
		await scene.workflow.kill();
		scene.recover();
		await scene.poll();
		scene.add('new');
		await scene.poll();
		expect(scene.ids).toEqual(['new']);
	});
});

describe('the API key stands in', () => {
	const secret = 'pk_live_0123456789abcdef';

	test('no message when it was pasted into a field', async () => {
		await play({ event: 'accountActivity', accountId: secret }, async ({ workflow }) => {
			workflow.credential.apiKey = ` ${secret}\n`;
			const failure = await workflow.activate().catch((error: unknown) => error);
			const { message, stack, description } = failure as NodeOperationError;
			expect(message).toContain('but is "***"');
			expect([description, stack].join()).not.toContain(secret);
		});
	});

	test('no line of the log when it is one of several pages', async () => {
		await play({ event: 'newSession', options: morePages(secret) }, async (scene) => {
			const { workflow } = scene;
			workflow.credential.apiKey = secret;
			await workflow.activate();
			scene.respond({ status: 404, body: {} }, new RegExp(secret));
			await scene.poll(2);
			expect(workflow.log.join()).toContain('The next poll retries');
			expect(workflow.log.join()).not.toContain(secret);
		});
	});
});
