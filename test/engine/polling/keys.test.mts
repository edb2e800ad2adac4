import { play } from './scene.mts';
import { foreignKey } from './service.mts';

/* How both tenants are told apart is in test/unit/polling/findNew.test.mts. The histories change keys at any time. */

test.each(['now', 'all'])(
	'the key of another tenant starts nothing that exists, and the log says so (Start From %s)',
	async (startFrom) => {
		await play({ event: 'newPerson', options: { startFrom } }, async (scene) => {
			const { workflow, service } = scene;
			scene.addMany(5);
			const own = service.facts;
			service.foreign!.facts = own.map((each) => ({ ...each, id: `foreign ${each.id}` }));
			await workflow.activate();
			expect(scene.ids).toEqual(startFrom === 'all' ? own.map(({ id }) => id) : []);
			workflow.executions.length = 0;
			workflow.credential.apiKey = foreignKey;
			await scene.poll(3);
			expect(scene.ids).toEqual([]);
			scene.add('new');
			service.foreign!.facts.push(...own.splice(-1));
			await scene.poll();
			expect(scene.ids).toEqual(['new']);
			expect(workflow.log).toEqual([
				"Page Audience Polling Trigger: The new API key reads other data: the trigger starts over, and existing records don't start the workflow.",
			]);
			expect(workflow.logged).toEqual([{ workflowId: expect.any(String), node: workflow.name }]);
			expect(workflow.failures).toEqual([]);
			expect(JSON.stringify(workflow.staticData)).not.toContain(foreignKey);
		});
	},
);

test.each([
	['scheduler', 'newPerson'],
	['durable', 'changedPerson'],
	['memory', 'accountActivity'],
] as const)(
	'a new key of the same tenant keeps what is known, although polls end before it (%s, %s)',
	async (engine, event) => {
		await play({ event, engine }, async (scene) => {
			const { service, workflow } = scene;
			scene.addMany(80);
			const known = service.facts;
			await workflow.activate();
			await scene.poll();
			service.facts = [];
			scene.addMany(25, { name: 'new' });
			const added = service.facts.map(({ id }) => id);
			service.facts.push(...known);
			workflow.credential.apiKey = 'a new key';
			// One page, and then the rest.
			for (const ms of [engine === 'memory' ? 200_000 : 20_000, 0]) {
				scene.respondAfter(ms);
				for (let polls = 0; polls < 12; polls++) await scene.poll();
			}
			expect(scene.ids.sort()).toEqual(added.sort());
			expect([workflow.failures, workflow.log]).toEqual([[], []]);
		});
	},
);
