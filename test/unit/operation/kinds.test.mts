import { path } from '../../../nodes/api/path.ts';
import { defineOperation } from '../../../nodes/PageAudience/operation/operation.ts';

const described = {
	option: { name: 'Do', value: 'do', action: 'Do something', description: '' },
	request: () => ({ method: 'GET', path: path`/persons` }) as const,
} as const;
const single = { ...described, records: () => [] };
const list = { ...described, paging: 'cursor' } as const;
const reads = { ...described, read: async () => await Promise.resolve([]) };
const finder = {
	find: async () => await Promise.resolve(undefined),
	findAgain: async () => await Promise.resolve(undefined),
	provesAbsence: () => true,
	remember: () => {},
};
const ensure = {
	...described,
	ensure: { openFinder: () => finder },
	writes: { id: 'id' },
	uses: [],
};

// The compiler is the test: each line that it must refuse says why.
test('an operation is of one kind, and has no member of another', () => {
	for (const kind of [single, list, reads, ensure])
		expect(defineOperation({ ...kind, properties: [] })).toMatchObject({ ...kind });
	// @ts-expect-error A list writes nothing.
	defineOperation({ ...list, properties: [], writes: { id: 'id' } });
	// @ts-expect-error The records of a list are where its paging says.
	defineOperation({ ...list, properties: [], records: () => [] });
	// @ts-expect-error Several reads write nothing.
	defineOperation({ ...reads, properties: [], writes: { id: 'id' } });
	// @ts-expect-error Several reads are no list.
	defineOperation({ ...reads, properties: [], paging: 'cursor' });
	// @ts-expect-error What looks first reads with its finder.
	defineOperation({ ...ensure, properties: [], read: reads.read });
	// @ts-expect-error What looks first says what it writes.
	defineOperation({ ...ensure, properties: [], writes: undefined });
	// @ts-expect-error Only a list completes its records.
	defineOperation({ ...single, properties: [], completion: { fields: () => [] } });
	// @ts-expect-error One request has one endpoint, its own.
	defineOperation({ ...single, properties: [], uses: [] });
	// @ts-expect-error A value that no parameter has.
	defineOperation({ ...single, properties: [], hint: (_, { name }) => name });
});
