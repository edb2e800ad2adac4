import type { IExecuteFunctions } from 'n8n-workflow';
import { path } from '../../../../nodes/api/path.ts';
import { create } from '../../../../nodes/PageAudience/resources/personLog/create.operation.ts';
import type { Run } from '../../../../nodes/PageAudience/run/open.ts';
import type { SendPlan } from '../../../../nodes/PageAudience/run/plan.ts';
import { usualOptions } from '../../../../nodes/PageAudience/operation/sharedParameters.ts';
import { Synced } from '../../../../nodes/PageAudience/run/synced/synced.ts';

const makePlan = (key: string): SendPlan => {
	const request: SendPlan['request'] = { method: 'POST', path: path`/person_logs` };
	return {
		kind: 'send',
		operation: create as SendPlan['operation'],
		values: { options: usualOptions },
		request,
		json: {},
		changes: [],
		synced: { key, output: { key } },
		replacesState: false,
		attempts: 0,
	};
};

/** A node whose database must not be asked. */
const context: Partial<IExecuteFunctions> = {
	getMode: () => 'manual',
	getWorkflow: () => ({ id: 'workflow', active: false }),
	getNode: () => ({ id: '1' }) as never,
	getCredentials: async <T,>() =>
		await Promise.resolve({ baseUrl: 'https://api.example.com', apiKey: 'key' } as T),
};
const run: Partial<Run> = { context: context as IExecuteFunctions };

test('a run of more records than n8n can remember sends each of them once and says so', async () => {
	const plans = Array.from({ length: 100_002 }, (_, i) => makePlan(`record ${i % 100_001}`));
	const before = await Synced.open(run as Run, plans);
	const tasks = plans.map((_, item) => ({
		locks: [],
		run: async () => {
			const output = before.find(item);
			before.confirm(item);
			return await Promise.resolve(output ? 'skipped' : 'sent');
		},
	}));
	const results = await before.runInChunks(
		tasks,
		async (chunk) =>
			await Promise.all(
				chunk.map(async ({ run }) => ({ status: 'done' as const, value: await run() })),
			),
		() => false,
	);
	const values = results.map((result) => result.status === 'done' && result.value);
	expect(values?.filter((value) => value === 'sent')).toHaveLength(100_001);
	expect(values?.at(-1)).toBe('skipped');
	expect(before.describeLimits()).toEqual([
		'All 100,001 records are sent, with their keys: n8n can remember 100,000 of them for a node. To send only what changed, split the items between several nodes.',
	]);
});
