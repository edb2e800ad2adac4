import type { Engine } from './polledWorkflow.mts';
import { idsOf, minuteMs, play, type SlowScene } from './slowService.mts';

const hourMs = 60 * minuteMs;
const engines: Engine[] = ['memory', 'scheduler', 'durable'];

/** Adds a record in each of some hours, and polls. */
async function pass(scene: SlowScene, hours: number, name: string): Promise<string[]> {
	const added: string[] = [];
	for (let hour = 0; hour < hours; hour++) {
		scene.add(`${name} ${hour}`);
		added.push(`${name} ${hour}`);
		for (let polls = 0; polls < 6; polls++) await scene.poll(10);
	}
	return added;
}

describe.each(engines)('n8n with a wrong clock (%s)', (engine) => {
	it.each([60, 240])('that was %d hours ahead at publishing finds what comes', async (hours) => {
		await play({ event: 'newSession' }, engine, async (scene) => {
			const { workflow, service } = scene;
			service.jump(hours * hourMs);
			await workflow.activate();
			service.jump(-hours * hourMs);
			await scene.poll();
			const added = await pass(scene, 3, 'new');
			expect(idsOf(workflow)).toEqual(added);
			expect(workflow.log).toEqual([
				'Page Audience Polling Trigger: The clock of n8n was set back. Sessions from the time when it was ahead may be missed. New sessions start the workflow.',
			]);
		});
	});

	it.each([-60, 60, 240])('that is %d hours off for some hours misses nothing', async (hours) => {
		await play({ event: 'newSession' }, engine, async (scene) => {
			const { workflow, service } = scene;
			await workflow.activate();
			const before = await pass(scene, 2, 'before');
			service.jump(hours * hourMs);
			const during = await pass(scene, 3, 'during');
			service.jump(-hours * hourMs);
			const after = await pass(scene, 2, 'after');
			expect(idsOf(workflow).sort()).toEqual([...before, ...during, ...after].sort());
		});
	});
});

test('a state is later than the one before it, whatever the clock does', async () => {
	await play({ event: 'newSession' }, 'scheduler', async ({ workflow, service, add, poll }) => {
		const readWritten = () =>
			Number(/"writtenAt":(\d+)/.exec(JSON.stringify(workflow.staticData))?.[1]);
		const writeOne = async (id: string) => {
			add(id);
			await poll();
			return readWritten();
		};
		await workflow.activate();
		const first = await writeOne('first');
		expect(first).toBe(Date.now());
		service.jump(-hourMs);
		expect(await writeOne('second')).toBe(first + 1);
		service.jump(2 * hourMs);
		expect(await writeOne('third')).toBe(Date.now());
	});
});

test.each(['changedPerson', 'changedSession'])(
	'several records of one ID start the workflow once each (%s)',
	async (event) => {
		await play({ event }, 'memory', async (scene) => {
			const { workflow, service } = scene;
			service.twins.set('record 70', 'other');
			await workflow.activate();
			await scene.poll();
			expect(idsOf(workflow)).toEqual([]);
			service.twins.set('record 71', 'other');
			service.twins.set('new', 'other');
			scene.add('new');
			for (let polls = 0; polls < 5; polls++) await scene.poll();
			expect(idsOf(workflow).sort()).toEqual(['new', 'new', 'record 71']);
			service.twins.delete('record 71');
			await scene.poll();
			service.twins.set('record 71', 'other');
			await scene.poll();
			expect(idsOf(workflow)).toHaveLength(4);
		});
	},
);

describe('a record that the list of existing records missed', () => {
	const miss = async (ageMs: number, found: string[]) =>
		await play({ event: 'newPerson' }, 'scheduler', async (scene) => {
			const { workflow, service } = scene;
			const [missed] = service.facts;
			missed.startedAt = service.now - ageMs;
			missed.appearsAt = service.now + 1;
			await workflow.activate();
			scene.add('new');
			for (let polls = 0; polls < 3; polls++) await scene.poll();
			expect(idsOf(workflow)).toEqual(found);
		});

	it('does not start the workflow if it is old', async () => await miss(60 * hourMs, ['new']));

	it('starts the workflow if it may only have appeared late', async () =>
		await miss(40 * hourMs, ['record 0', 'new']));
});
