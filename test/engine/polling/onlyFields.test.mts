import { engines, play, type Scene } from './scene.mts';

const person = { name: 'Ada', email: 'ada@a.example', slug: 'ada' };
const [ada, bea] = ['ada', 'bea'].map((personId) => ({ personId, ...person }));

/** What a poll starts when the list shows these records, by ID and changed fields. */
async function pollWith(scene: Scene, ...records: object[]) {
	const before = scene.workflow.items.length;
	scene.show(...records.map((each) => ({ ...each })));
	await scene.poll();
	const items = scene.workflow.items.slice(before);
	return items.map(({ personId, changedFields }) => [personId, changedFields]);
}

test.each(engines)(
	'changes of these fields alone start the workflow, with their names (%s)',
	async (engine) => {
		const options = { onlyFields: ['email', 'phoneNumber', 'name'] };
		await play({ event: 'changedPerson', engine, options }, async (scene) => {
			const { workflow } = scene;
			scene.show(ada);
			await workflow.activate();
			expect(await pollWith(scene, ada, bea)).toEqual([['bea', null]]);
			const moved = { ...ada, slug: 'other', updatedAt: '2026-01-05T09:00:00Z' };
			const named = { ...bea, slug: 'other', name: 'Bea', email: 'bea@b.example' };
			expect(await pollWith(scene, moved, named)).toEqual([['bea', ['email', 'name']]]);
			// What changed without a run does not count later either.
			await workflow.kill();
			expect(await pollWith(scene, { ...moved, email: null }, named)).toEqual([['ada', ['email']]]);
			expect(await pollWith(scene, { ...moved, email: null }, named)).toEqual([]);
			const shown = await workflow.fetchTestEvent();
			expect(shown.map(({ changedFields }) => changedFields)).toEqual([null, null]);
		});
	},
);

test('fields of another event are refused with their names', async () => {
	const options = { onlyFields: ['name', 'utmSource'] };
	await play({ event: 'changedPerson', options }, async ({ workflow }) => {
		await expect(workflow.activate()).rejects.toThrow(
			/Options > Only These Fields accepts only .*, but contains "utmSource"/,
		);
		workflow.parameters = { ...workflow.parameters, event: 'newPerson' };
		await workflow.activate();
	});
});
