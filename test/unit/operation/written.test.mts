import { WrittenRecords } from '../../../nodes/PageAudience/operation/written.ts';
import { listKept } from '../../garbage.mts';

const begin = () => {
	const end = new AbortController();
	return { records: new WrittenRecords('service', end.signal), end: () => end.abort() };
};

/** A run that writes a record and ends. */
function write(): Array<WeakRef<object>> {
	const { records, end } = begin();
	const record = { personId: 'person_1' };
	records.add(['key'], record, false);
	end();
	return [new WeakRef(record)];
}

test('a record stays until all runs have ended that began before its run ended', async () => {
	const run = begin();
	const written = write();
	expect(run.records.findRecent('key')).toEqual({ personId: 'person_1' });
	expect(run.records.findOwn('key')).toBeUndefined();
	run.end();
	const next = begin();
	expect(next.records.findRecent('key')).toBeUndefined();
	next.end();
	expect(await listKept(written)).toEqual([]);
});
