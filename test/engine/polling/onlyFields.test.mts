import type { INodeParameters } from 'n8n-workflow';
import {
	onlyPersonFields,
	onlySessionFields,
} from '../../../nodes/PageAudiencePollingTrigger/parameters.ts';
import { personShape, sessionShape } from '../../../nodes/records/shapes.ts';
import type { Engine, PolledWorkflow } from './polledWorkflow.mts';
import { openScene } from './scene.mts';

const scene = openScene();
const engines: Engine[] = ['memory', 'scheduler', 'durable'];

const addPerson = (name: string) => scene.sandbox.store.addPersons(1, { name })[0];

/** Publishes with other options, in the process that polled before. */
async function publish(workflow: PolledWorkflow, options: INodeParameters): Promise<void> {
	workflow.parameters = { ...workflow.parameters, options };
	workflow.deactivate();
	await workflow.activate();
	await workflow.tick();
}

/** The names and changed fields of what started the workflow since the last call. */
function openLog(workflow: PolledWorkflow) {
	let seen = 0;
	return () => {
		const items = workflow.items.slice(seen);
		seen += items.length;
		return items.map((item) => [item.name, item.changedFields]);
	};
}

describe.each(engines)('Only These Fields (%s)', (engine) => {
	it('starts the workflow for changes of these fields alone, and names them', async () => {
		const onlyFields = ['email', 'phoneNumber', 'name'];
		const workflow = scene.poll({ event: 'changedPerson', options: { onlyFields } }, engine);
		const take = openLog(workflow);
		await workflow.activate();
		await workflow.tick();
		const [first, second, third] = scene.sandbox.store.persons.all();
		const ada = addPerson('Ada');
		await workflow.tick();
		expect(take()).toEqual([['Ada', null]]);
		Object.assign(first, { updatedAt: '2026-05-01T00:00:00Z', slug: 'other' });
		Object.assign(second, { phoneNumber: '+49 30 123', slug: 'other' });
		Object.assign(third, { name: 'New name', email: 'new@example.com' });
		await workflow.tick();
		expect(take().sort()).toEqual(
			[
				[second.name, ['phoneNumber']],
				['New name', ['email', 'name']],
			].sort(),
		);
		// What changed without a run does not count later either.
		await workflow.kill();
		ada.email = null;
		await workflow.tick();
		expect(take()).toEqual([['Ada', ['email']]]);
		await workflow.tick();
		expect(workflow.executions).toHaveLength(3);
	});

	it('counts nothing as changed when they are switched on, chosen anew or switched off', async () => {
		const workflow = scene.poll({ event: 'changedPerson' }, engine);
		const take = openLog(workflow);
		const [first, second] = scene.sandbox.store.persons.all();
		await workflow.activate();
		await workflow.tick();
		for (const onlyFields of [['name'], ['slug', 'email'], ['email'], [], ['email', 'slug']]) {
			await publish(workflow, { onlyFields });
			expect(take()).toEqual([]);
		}
		first.slug = 'first';
		second.name = 'Second';
		await workflow.tick();
		expect(take()).toEqual([[first.name, ['slug']]]);
		await publish(workflow, { onlyFields: [] });
		expect(take()).toEqual([]);
		second.name = 'Third';
		await workflow.tick();
		expect(take()).toEqual([['Third', undefined]]);
	});

	it('misses no change that came together with the choice, and does not guess its fields', async () => {
		const workflow = scene.poll({ event: 'changedPerson' }, engine);
		const take = openLog(workflow);
		const [first, second] = scene.sandbox.store.persons.all();
		await workflow.activate();
		await workflow.tick();
		second.email = 'second@example.com';
		await publish(workflow, { onlyFields: ['email'] });
		expect(take()).toEqual([[second.name, undefined]]);
		expect(workflow.items[0]).not.toHaveProperty('changedFields');
		first.email = 'first@example.com';
		await workflow.tick();
		expect(take()).toEqual([[first.name, ['email']]]);
	});
});

test('a simplified session keeps changedFields, whichever field changed', async () => {
	const onlyFields = ['timeSpentSeconds', 'totalClicksCount'];
	const workflow = scene.poll({ event: 'changedSession', options: { onlyFields } });
	const sessions = [2, 1].map((hoursAgo) => scene.addSession({ hoursAgo }));
	await workflow.activate();
	const [first, second] = sessions.map(
		({ audienceSessionId }) => scene.sandbox.store.sessions.get(audienceSessionId)!,
	);
	Object.assign(first, { totalClicksCount: 99, hasConversion: true });
	Object.assign(second, { hasConversion: true, computationStatus: 'done' });
	const added = scene.addSession();
	await workflow.tick();
	expect(workflow.items).toEqual([
		expect.objectContaining({
			audienceSessionId: first.audienceSessionId,
			changedFields: ['totalClicksCount'],
		}),
		expect.objectContaining({ audienceSessionId: added.audienceSessionId, changedFields: null }),
	]);
	expect(Object.keys(workflow.items[0])).toEqual([
		...(sessionShape.simplified ?? []),
		'changedFields',
	]);
});

test('lists and objects are compared by content, and a field that is missing holds as much as null', async () => {
	const workflow = scene.poll({
		event: 'changedPerson',
		options: { onlyFields: ['email', 'domain'] },
	});
	const take = openLog(workflow);
	const show = async (...people: object[]) => {
		scene.sandbox.faults.add({
			kind: 'answer',
			status: 200,
			body: { items: people, hasMore: false },
		});
		await workflow.tick();
		return take();
	};
	const domain = { main: 'a.example', others: [{ name: 'b', ranks: [1, 2] }] };
	const ada = { personId: 'prospect_1', name: 'Ada', email: null, domain };
	scene.sandbox.faults.add({ kind: 'answer', status: 200, body: { items: [ada], hasMore: false } });
	await workflow.activate();
	const { email, ...missing } = ada;
	expect(email).toBeNull();
	expect(await show(missing)).toEqual([]);
	const reordered = { others: [{ ranks: [1, 2], name: 'b' }], main: 'a.example' };
	expect(await show({ ...ada, domain: reordered })).toEqual([]);
	const turned = { ...domain, others: [{ name: 'b', ranks: [2, 1] }] };
	expect(await show({ ...ada, domain: turned })).toEqual([['Ada', ['domain']]]);
	expect(await show({ ...ada, domain: turned, email: '' })).toEqual([['Ada', ['email']]]);
	// A field of the API is never replaced.
	const own = { ...ada, domain: null, changedFields: 'own' };
	expect(await show(own)).toEqual([['Ada', 'own']]);
});

test('Fetch Test Event has the same fields', async () => {
	const workflow = scene.poll({ event: 'changedPerson', options: { onlyFields: ['name'] } });
	const items = await workflow.fetchTestEvent();
	expect(items.every(({ changedFields }) => changedFields === null)).toBe(true);
	workflow.parameters = { ...workflow.parameters, options: { onlyFields: [] } };
	expect((await workflow.fetchTestEvent())[0]).not.toHaveProperty('changedFields');
});

test('fields of another event are refused with their names', async () => {
	const workflow = scene.poll({
		event: 'changedPerson',
		options: { onlyFields: ['name', 'utmSource'] },
	});
	await expect(workflow.activate()).rejects.toThrow(
		/Options > Only These Fields accepts only .*, but contains "utmSource"/,
	);
	workflow.parameters = { ...workflow.parameters, event: 'newPerson' };
	await workflow.activate();
});

test.each([
	[onlySessionFields, sessionShape],
	[onlyPersonFields, personShape],
])('all documented fields can be chosen', ({ options }, { fields }) => {
	expect(options.map(({ value }) => value).sort()).toEqual([...fields].sort());
});
