import { digestNodes, findDigestDeviations, readDigest } from '../../../tools/start/digest.mts';
import { itemsOf } from '../../../tools/n8n/execution.mts';
import { moveToRecentWeeks } from '../../../tools/start/recent.mts';
import type { Workbench } from '../workbench.mts';
import { changeNode, ImportedExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeDigest = (open: () => Workbench): void =>
	describe('the digest', () => {
		const example = ImportedExample.use(open, 'digest');

		test('a week without activity sends nothing', async () => {
			// The sandbox's own activities are years old.
			const execution = await example.run();
			expect(execution.status).toBe('success');
			expect(itemsOf(execution, 'Activity of each account').length).toBeGreaterThan(0);
			expect(itemsOf(execution, digestNodes.digest)).toEqual([]);
		});

		test('a week of several accounts becomes one message, the most active account first', async () => {
			moveToRecentWeeks(example.sandbox.store);
			const execution = await example.run();
			expect(findDigestDeviations(execution, example.sandbox)).toEqual([]);
			const [, , ...lines] = readDigest(execution).split('\n');
			const counts = lines.map((line) => Number(/: (\d+) \(/.exec(line)?.[1]));
			expect(counts.length).toBeGreaterThan(2);
			expect(counts).toEqual([...counts].sort((a, b) => b - a));
			// The counts per kind add up to the number before the brackets.
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

		test('counts a long activity to its end and leaves out older entries', async () => {
			const [account] = example.sandbox.store.accounts.all();
			expect(example.sandbox.store.activities.of(account.accountId).length).toBeGreaterThan(200);
			await changeNode(example.bench, example.workflow, digestNodes.accounts, {
				query: account.domain,
			});
			const execution = await example.run();
			expect(findDigestDeviations(execution, example.sandbox)).toEqual([]);
			expect(readDigest(execution)).toMatch(/^56 entries at 1 account\n/);
		});
	});
