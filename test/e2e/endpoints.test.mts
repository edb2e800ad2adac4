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
	expect([execution.error, execution.status]).toEqual([undefined, 'success']);
	expect(sandbox.requests.map(describeSent)).toEqual(each.sends);
	const output = itemsOf(execution, tested).map((item) => [originOf(item), item.json] as const);
	const records = expectRecords(each).flatMap((own, item) => own.map((json) => [item, json]));
	expect(new Set(output.map(([item]) => item))).toEqual(new Set([0, 1]));
	expect(withoutToday(output)).toEqual(records);
});
