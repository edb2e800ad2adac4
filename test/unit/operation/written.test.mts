import { WrittenRecords } from '../../../nodes/PageAudience/operation/written.ts';
import { listKept } from '../../garbage.mts';

beforeAll(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterAll(() => jest.useRealTimers());

const begin = () => {
	const end = new AbortController();
	return { records: new WrittenRecords('service', end.signal), end: () => end.abort() };
};

/** A run that writes records and ends. */
function write(...keys: string[]): Array<WeakRef<object>> {
	const { records, end } = begin();
	const written = keys.map((personId) => ({ personId }));
	for (const record of written) records.add([record.personId], record, false);
	end();
	return written.map((record) => new WeakRef(record));
}

test('a record stays for a minute, and as long as a run that began before its end', async () => {
	const written = write('person_1', 'person_2');
	jest.advanceTimersByTime(59_999);
	const run = begin();
	jest.advanceTimersByTime(3_600_000);
	const later = write('person_3');
	expect(run.records.findRecent('person_2')).toEqual({ personId: 'person_2' });
	expect(run.records.findRecent('person_3')).toEqual({ personId: 'person_3' });
	expect(await listKept(written)).toHaveLength(2);
	run.end();
	expect(await listKept([...written, ...later])).toEqual([{ personId: 'person_3' }]);
	const next = begin();
	expect(next.records.findRecent('person_2')).toBeUndefined();
	expect(next.records.findRecent('person_3')).toEqual({ personId: 'person_3' });
	next.end();
});

test('a record goes when the next run begins after a minute', async () => {
	const written = write('person_4', 'person_5');
	jest.advanceTimersByTime(59_999);
	begin().end();
	expect(await listKept(written)).toHaveLength(2);
	jest.advanceTimersByTime(1);
	const run = begin();
	expect(await listKept(written)).toEqual([]);
	run.end();
});
