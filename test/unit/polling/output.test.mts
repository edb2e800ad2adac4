import {
	type FoundRecord,
	sortByDate,
	toPolledItems,
} from '../../../nodes/PageAudiencePollingTrigger/output.ts';
import { events } from '../../../nodes/PageAudiencePollingTrigger/events.ts';
import type { PollSettings } from '../../../nodes/PageAudiencePollingTrigger/settings.ts';

const found = (name: string, date?: number): FoundRecord => ({ date, record: { name } });
const some = [
	found('none 1'),
	found('late', 3),
	found('early', 1),
	found('none 2'),
	found('mid', 2),
];

test.each([
	['oldest first' as const, ['early', 'mid', 'late', 'none 1', 'none 2']],
	['newest first' as const, ['late', 'mid', 'early', 'none 1', 'none 2']],
])('%s: records without a date come last, in the order of the list', (order, names) => {
	expect(sortByDate(some, order).map(({ record }) => record.name)).toEqual(names);
	expect(some[0].record.name).toBe('none 1');
});

const write = (simplify: boolean, simplified: string[] | undefined, each: FoundRecord) =>
	toPolledItems(
		{ ...events.newPerson, shape: { id: 'id', fields: [], simplified } },
		{ simplify } as PollSettings,
		[each],
	);
const changed: FoundRecord = {
	...found('a'),
	record: { id: 1, name: 'Ada', extra: true, changedFields: 'of the API' },
	interactions: { clicks: 2, name: 'another' },
	changedFields: ['name'],
};

test('an item has the record, with what is added, and no field of the API is replaced', () => {
	const whole = { ...changed.record, clicks: 2 };
	expect(write(false, ['id', 'name'], changed)).toEqual([{ json: whole }]);
	// There is nothing to leave out.
	expect(write(true, undefined, changed)).toEqual([{ json: whole }]);
	expect(write(true, ['id', 'name'], changed)).toEqual([
		{ json: { id: 1, name: 'Ada', clicks: 2, changedFields: ['name'] } },
	]);
	expect(write(false, undefined, found('b'))).toStrictEqual([{ json: { name: 'b' } }]);
});
