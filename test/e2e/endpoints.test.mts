import {
	describeSent,
	expectRecords,
	findCase,
	operationNames,
	withoutToday,
} from '../engine/cases/index.mts';
import { itemsOf, originOf, type JsonObject } from '../../tools/n8n/execution.mts';
import { setUpN8n, tested } from '../n8n/n8nSetup.mts';

const setup = setUpN8n();

test.each(operationNames)('%s sends and returns the same in n8n', async (operation) => {
	const { sandbox } = setup;
	sandbox.reset();
	const each = findCase(sandbox, operation);
	const execution = await setup.run(each.parameters as JsonObject, each.items as JsonObject[]);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');

	const received = [...sandbox.requests];
	expect(received.map(describeSent)).toEqual(each.sends);
	for (const request of received) {
		expect(request.headers['x-api-key']).toBe(sandbox.apiKey);
		expect(request.path + request.rawQuery + request.rawBody).not.toContain(sandbox.apiKey);
	}

	const output = itemsOf(execution, tested);
	for (const [item, records] of expectRecords(each).entries()) {
		const own = output.filter((one) => originOf(one) === item).map(({ json }) => json);
		expect(own).not.toEqual([]);
		expect(withoutToday(own)).toEqual(records);
	}
	expect(output.filter((one) => ![0, 1].includes(originOf(one) ?? -1))).toEqual([]);
});
