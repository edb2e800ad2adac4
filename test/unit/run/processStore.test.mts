import { openProcessStore } from '../../../nodes/PageAudience/ledger/processStore.ts';
import { listKept } from '../../garbage.mts';

beforeAll(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterAll(() => jest.useRealTimers());

const begin = (isDryRun = false) => openProcessStore('service', isDryRun);

/** A run that writes records and ends. */
function write(...names: string[]): Array<WeakRef<object>> {
	const run = begin();
	const written = names.map((personId) => ({ personId }));
	for (const record of written) run.note(record.personId, { is: 'done', records: [record] });
	run.close();
	return written.map((record) => new WeakRef(record));
}

test('a record stays for a minute, and as long as a run that began before its end', async () => {
	const written = write('person_1', 'person_2');
	jest.advanceTimersByTime(59_999);
	const run = begin();
	jest.advanceTimersByTime(3_600_000);
	const later = write('person_3');
	expect(run.findRecord('person_2')).toEqual({ personId: 'person_2' });
	expect(run.findRecord('person_3')).toEqual({ personId: 'person_3' });
	expect(await listKept(written)).toHaveLength(2);
	run.close();
	expect(await listKept([...written, ...later])).toEqual([{ personId: 'person_3' }]);
	const next = begin();
	expect(next.findRecord('person_2')).toBeUndefined();
	expect(next.findRecord('person_3')).toEqual({ personId: 'person_3' });
	next.close();
});

test('a record goes when the next run begins after a minute', async () => {
	const written = write('person_4', 'person_5');
	jest.advanceTimersByTime(59_999);
	begin().close();
	expect(await listKept(written)).toHaveLength(2);
	jest.advanceTimersByTime(1);
	const run = begin();
	expect(await listKept(written)).toEqual([]);
	run.close();
});

test('a doubt holds for the runs that were under way, until one of them ends it', () => {
	const [run, other] = [begin(), begin()];
	run.note('email ada', { is: 'doubt', existed: false });
	expect(run.find('email ada')).toEqual({ is: 'doubt', existed: false });
	// What another run has created exists before anything that this one does.
	expect(other.find('email ada')).toEqual({ is: 'doubt', existed: true });
	const next = begin();
	expect(next.find('email ada')).toEqual({ is: 'unknown' });
	other.note('email ada', { is: 'unknown' });
	expect(other.find('email ada')).toEqual({ is: 'unknown' });
	for (const each of [run, other, next]) each.close();
});

test('what a dry run would write, only its own items find', () => {
	const [run, other] = [begin(true), begin()];
	const record = { personId: 'person_6' };
	run.note('email bea', { is: 'done', records: [record] });
	expect(run.findOwn('email bea')).toBe(record);
	expect(other.find('email bea')).toEqual({ is: 'unknown' });
	for (const each of [run, other]) each.close();
});

test('a run that has ended is not kept', async () => {
	const runs = [false, true].map((isDryRun) => {
		const run = begin(isDryRun);
		run.note('email cleo', { is: 'done', records: [{ personId: 'person_7' }] });
		run.close();
		return new WeakRef(run);
	});
	expect(await listKept(runs)).toEqual([]);
});
