import { openProcessStore } from '../../../nodes/PageAudience/ledger/processStore.ts';
import { listKept } from '../../garbage.mts';

const open = () => openProcessStore('service');
const unknown = { is: 'unknown' };

test('a doubt is known to all runs, until one of them ends it', () => {
	const [run, other] = [open(), open()];
	run.note('email ada', { is: 'doubt', existed: false });
	run.note('email bea', { is: 'doubt', existed: false });
	expect(run.find('email ada')).toEqual({ is: 'doubt', existed: false });
	// What one run may have created is no creation of another.
	for (const each of [other, open()])
		expect(each.find('email ada')).toEqual({ is: 'doubt', existed: true });
	expect(openProcessStore('another service').find('email ada')).toEqual(unknown);
	other.note('email ada', unknown);
	other.note('email bea', { is: 'done', records: [{}] });
	for (const name of ['email ada', 'email bea']) expect(open().find(name)).toEqual(unknown);
});

test('what a run has confirmed, its own items find, and no doubt of others hides it', () => {
	const [run, other] = [open(), open()];
	const done = { is: 'done', records: [{ personId: 'person_1' }] } as const;
	run.note('email cleo', { ...done, records: [...done.records] });
	other.note('email cleo', { is: 'doubt', existed: false });
	run.note('email cleo', unknown);
	expect(run.find('email cleo')).toEqual(done);
	expect(other.find('email cleo')).toEqual({ is: 'doubt', existed: false });
	expect(open().find('email cleo')).toEqual(unknown);
});

test('a run that has ended is not kept, nor what it has written', async () => {
	const runs = [0, 1].map((number) => {
		const run = open();
		const record = { personId: `person_${number}` };
		run.note('email dora', { is: 'done', records: [record] });
		run.note('email eve', { is: 'doubt', existed: false });
		return [new WeakRef<object>(run), new WeakRef<object>(record)];
	});
	expect(await listKept(runs.flat())).toEqual([]);
});
