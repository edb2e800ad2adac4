import type { IExecuteFunctions } from 'n8n-workflow';
import { ProcessedEntries } from '../../../../nodes/PageAudience/run/synced/processedEntries.ts';

/** The entries of one node. Each call of n8n ends when it is let go. */
function open(workflow: string, node: string) {
	const calls: Array<() => void> = [];
	const helpers: Partial<IExecuteFunctions['helpers']> = {
		removeProcessed: async () => await new Promise<void>((resolve) => calls.push(resolve)),
	};
	const context: Partial<IExecuteFunctions> = {
		helpers: helpers as IExecuteFunctions['helpers'],
		getWorkflow: () => ({ id: workflow, active: false }),
		getNode: () => ({ id: node }) as never,
	};
	return { calls, entries: new ProcessedEntries(context as IExecuteFunctions) };
}

const settle = async () => await new Promise(setImmediate);

test('two executions of one node take turns', async () => {
	const [first, second] = [open('w', '1'), open('w', '1')];
	const removing = [first, second].map(async ({ entries }) => await entries.remove(['a']));
	await settle();
	expect([first.calls.length, second.calls.length]).toEqual([1, 0]);
	first.calls[0]();
	await settle();
	expect(second.calls).toHaveLength(1);
	second.calls[0]();
	await Promise.all(removing);
});

test.each([
	['another node', 'w', '2'],
	['a copy of the workflow', 'copy', '1'],
])('%s waits for nobody', async (_, workflow, node) => {
	const [first, second] = [open('w', '1'), open(workflow, node)];
	const removing = [first, second].map(async ({ entries }) => await entries.remove(['a']));
	await settle();
	expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
	for (const { calls } of [first, second]) calls[0]();
	await Promise.all(removing);
});
