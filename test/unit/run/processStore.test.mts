import { openProcessStore, underWay } from '../../../nodes/PageAudience/ledger/processStore.ts';
import { listKept } from '../../garbage.mts';

afterEach(() => underWay.clear());

const begin = (isDryRun = false) => openProcessStore('service', isDryRun);
const unknown = { is: 'unknown' } as const;
const makeDone = (personId: string) => ({ is: 'done' as const, records: [{ personId }] });

test('a doubt is known to all runs, until one of them ends it', () => {
	const [run, other] = [begin(), begin()];
	run.note('email ada', { is: 'doubt', existed: false });
	run.note('email bea', { is: 'doubt', existed: false });
	expect(run.find('email ada')).toEqual({ is: 'doubt', existed: false });
	run.close();
	// What one run may have created is no creation of another.
	for (const each of [other, begin(), begin(true)])
		expect(each.find('email ada')).toEqual({ is: 'doubt', existed: true });
	expect(openProcessStore('another service', false).find('email ada')).toEqual(unknown);
	other.note('email ada', unknown);
	other.note('email bea', makeDone('person_1'));
	for (const name of ['email ada', 'email bea']) expect(begin().find(name)).toEqual(unknown);
	expect(other.find('email ada')).toEqual(unknown);
});

test('what is confirmed is known to the runs under way, and to no later one', () => {
	const [run, other, dry] = [begin(), begin(), begin(true)];
	const done = makeDone('person_2');
	other.note('email cleo', { is: 'doubt', existed: false });
	run.note('email cleo', done);
	run.note('email cleo', unknown);
	for (const each of [run, other]) expect(each.find('email cleo')).toBe(done);
	for (const each of [dry, begin()]) expect(each.find('email cleo')).toEqual(unknown);
	other.close();
	run.note('email dora', done);
	expect(other.find('email dora')).toEqual(unknown);
});

test('what a dry run would write, only its own items find', () => {
	const [run, other] = [begin(true), begin()];
	const done = makeDone('person_3');
	run.note('email eve', done);
	expect(run.find('email eve')).toBe(done);
	expect(other.find('email eve')).toEqual(unknown);
});

test('a run that has ended is not kept', async () => {
	const runs = [false, true].map((isDryRun) => {
		const run = begin(isDryRun);
		run.note('email flo', makeDone('person_4'));
		run.note('email gus', { is: 'doubt', existed: false });
		run.close();
		return new WeakRef(run);
	});
	expect(await listKept(runs)).toEqual([]);
});
