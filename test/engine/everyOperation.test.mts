import { describeSent, expectRecords } from './cases/expected.mts';
import { type Case, describeCases, findCase, operationNames } from './cases/index.mts';
import { linkedTo, originOf, type Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

const run = async (each: Case, more: Partial<Run> = {}) =>
	await stage.run(each.parameters, each.items, more);

test('every operation has a case', () => {
	const cases = describeCases(stage.sandbox);
	expect(cases.map(({ operation }) => operation).sort()).toEqual([...operationNames].sort());
});

test.each([
	['person', 'getNothing', 'getNothing'],
	['nothing', 'create', ''],
	['page', 'search ', 'search '],
])('%s > %s that does not exist is named', async (resource, operation, named) => {
	const { error } = await stage.run({ resource, operation }, [{}, {}]);
	expect(error?.message).toBe(
		`The operation '${named}' of the resource '${resource}' does not exist`,
	);
	expect(error?.description).toBe(
		"Choose an operation in the node's panel. If the workflow comes from a newer version of this package, update the package.",
	);
	expect(stage.received).toEqual([]);
});

describe.each(operationNames)('%s', (operation) => {
	test('sends the values of each item', async () => {
		const each = findCase(stage.sandbox, operation);
		const { error } = await run(each);
		expect(error).toBeUndefined();
		expect(stage.sandbox.requests.map(describeSent)).toEqual(each.sends);
		for (const { headers, rawBody } of stage.sandbox.requests) {
			expect(headers['x-api-key']).toBe(stage.sandbox.apiKey);
			expect(headers['content-type']).toBe(rawBody ? 'application/json' : undefined);
			expect(headers.accept).toBe('application/json');
		}
		if (each.sends[0].body) expect(stage.sandbox.requests[0].rawBody).not.toBe('');
	});

	test('returns the records unchanged, each linked to its item', async () => {
		const each = findCase(stage.sandbox, operation);
		const { output } = await run(each);
		const answers = stage.sandbox.requests.map(({ status }) => status);
		expect(answers.every((status) => status === 200 || status === 201)).toBe(true);
		expect(new Set(output.map(originOf))).toEqual(new Set([0, 1]));
		for (const item of [0, 1]) {
			const own = linkedTo(output, item);
			const expected = await expectRecords(stage.sandbox, each, item);
			expect(own.map(({ json }) => json)).toEqual(expected);
			expect(own.length).toBeGreaterThan(0);
		}
		const order = output.map(originOf);
		expect(order).toEqual([...order].sort());
	});

	test('does not take an error for a record, whatever its status is', async () => {
		const each = findCase(stage.sandbox, operation);
		stage.sandbox.faults.add({ kind: 'answer', status: 200, body: { error: 'Locked' } });
		const { output, errors } = await run(each, { onError: 'continueErrorOutput' });
		expect(errors).toHaveLength(1);
		expect(errors[0].json.error).toContain('responded with an object (fields: error) instead of');
		const [failed] = errors.map(originOf);
		expect(new Set(output.map(originOf))).toEqual(new Set([1 - Number(failed)]));
	});
});
