import { describeSent, expectRecords } from '../engine/cases/expected.mts';
import { findCase, operationNames } from '../engine/cases/index.mts';
import { itemsOf, originOf, type JsonObject } from '../../tools/n8n/execution.mts';
import { openWorkbench, tested, type Workbench } from './workbench.mts';

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
afterAll(() => bench.close());

test.each(operationNames)('%s sends and returns the same in n8n', async (operation) => {
	bench.sandbox.reset();
	const each = findCase(bench.sandbox, operation);
	const items = each.items as JsonObject[];
	const execution = await bench.runNode(each.parameters as JsonObject, items);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');

	const received = [...bench.sandbox.requests];
	expect(received.map(describeSent)).toEqual(each.sends);
	for (const request of received) {
		expect(request.headers['x-api-key']).toBe(bench.sandbox.apiKey);
		expect(request.path + request.rawQuery + request.rawBody).not.toContain(bench.sandbox.apiKey);
	}

	const output = itemsOf(execution, tested);
	for (const item of [0, 1]) {
		const own = output.filter((one) => originOf(one) === item).map(({ json }) => json);
		expect(own).not.toEqual([]);
		expect(own).toEqual(await expectRecords(bench.sandbox, each, item));
	}
	expect(output.filter((one) => ![0, 1].includes(originOf(one) ?? -1))).toEqual([]);
});
