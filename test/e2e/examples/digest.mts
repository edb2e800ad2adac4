import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import { digestNodes, findDigestDeviations, readDigest } from '../../../tools/start/digest.mts';
import { itemsOf } from '../../../tools/n8n/execution.mts';
import { moveToRecentWeeks } from '../../../tools/start/recent.mts';
import { runOnce } from '../../../tools/start/starter.mts';
import type { Workbench } from '../workbench.mts';
import { changeNode, importExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeDigest = (open: () => Workbench): void =>
	describe('the digest', () => {
		let bench: Workbench;
		let workflow: StoredWorkflow;
		beforeAll(async () => {
			bench = open();
			bench.sandbox.reset();
			workflow = await importExample(bench, 'digest');
		});
		afterAll(async () => {
			await bench.client.deleteWorkflow(workflow.id);
		});

		test('a week without activity sends nothing', async () => {
			// The seed is of another year.
			const execution = await runOnce(bench.client, workflow);
			expect(execution.status).toBe('success');
			expect(itemsOf(execution, 'Activity of each account').length).toBeGreaterThan(0);
			expect(itemsOf(execution, digestNodes.digest)).toEqual([]);
		});

		test('a week of several accounts becomes one text, the most active account first', async () => {
			moveToRecentWeeks(bench.sandbox.store);
			const execution = await runOnce(bench.client, workflow);
			expect(findDigestDeviations(execution, bench.sandbox)).toEqual([]);
			const [, , ...lines] = readDigest(execution).split('\n');
			const counts = lines.map((line) => Number(/: (\d+) \(/.exec(line)?.[1]));
			expect(counts.length).toBeGreaterThan(2);
			expect(counts).toEqual([...counts].sort((a, b) => b - a));
			// The kinds in the brackets come to the number before them.
			for (const line of lines) {
				const kinds = [...line.matchAll(/(\d+) × [\w-]+/g)].map(([, count]) => Number(count));
				expect(kinds.reduce((sum, count) => sum + count, 0)).toBe(
					Number(/: (\d+) \(/.exec(line)?.[1]),
				);
			}
			expect(itemsOf(execution, digestNodes.digest)[0]?.json.subject).toMatch(
				/^Account activity, \d+ \w+ to \d+ \w+ \d{4}$/,
			);
		});

		test('a long activity is counted to its end, and what is older is left out', async () => {
			const [account] = bench.sandbox.store.accounts.all();
			expect(bench.sandbox.store.activities.of(account.accountId).length).toBeGreaterThan(200);
			await changeNode(bench, workflow, digestNodes.accounts, { query: account.domain });
			const execution = await runOnce(bench.client, workflow);
			expect(findDigestDeviations(execution, bench.sandbox)).toEqual([]);
			expect(readDigest(execution)).toMatch(/^56 entries at 1 account\n/);
		});
	});
