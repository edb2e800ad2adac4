import { defineOperation } from '../../../nodes/PageAudience/operation/operation.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';
import { at } from '../../../nodes/api/request.ts';

const all = resources.flatMap(({ value, operations }) =>
	operations.map((operation) => [`${value}.${operation.value}`, operation] as const),
);

test.each(all)('%s has members that go together', (_, operation) => {
	const { paging, completion, run, records, writes, uses } = operation;
	// A list comes in pages, or from a function.
	if (paging) expect([run, records, writes, uses]).toEqual(Array(4).fill(undefined));
	if (completion) expect(paging).toBeDefined();
	if (run) expect(records).toBeUndefined();
	if (uses) expect(run).toBeDefined();
	// What looks first says what can become of an item.
	if (run && writes) expect(writes.outcomes).toBeDefined();
});

test('an operation knows the values of its parameters', () => {
	defineOperation({
		...all[0][1],
		properties: [],
		// @ts-expect-error A value that no parameter has.
		request: ({ name }) => ({ method: 'GET', ...at.person`/persons/${name}` }),
	});
});
