import type { Sandbox } from '../../../sandbox/index.mts';
import { itemsOf, listFailures, type Execution } from '../../../tools/n8n/execution.mts';
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

/** The nodes of the example that the check reads. */
const digestNodes = { accounts: 'Find accounts', digest: 'Digest' };

const weekMs = 7 * 24 * 60 * 60_000;

const readDigest = (execution: Execution): string =>
	String(itemsOf(execution, digestNodes.digest)[0]?.json.text ?? '');

const count = (number: number, one: string, several: string): string =>
	`${number} ${number === 1 ? one : several}`;

/** Compares the text with the sandbox's activities of the last seven days. Returns the deviations. */
function findDigestDeviations(execution: Execution, { store }: Sandbox): string[] {
	const found: string[] = [];
	found.push(...listFailures(execution));
	const digests = itemsOf(execution, digestNodes.digest);
	if (digests.length !== 1) found.push(`there are ${digests.length} digests instead of one`);
	const counts = itemsOf(execution, digestNodes.accounts)
		.map(({ json: { accountId, name, domain } }) => ({
			name: String(name ?? domain),
			entries: store.activities
				.of(String(accountId))
				.filter(
					({ createdAt, deletedAt }) =>
						deletedAt === null && Date.now() - Date.parse(createdAt) < weekMs,
				).length,
		}))
		.filter(({ entries }) => entries > 0);
	const total = counts.reduce((sum, { entries }) => sum + entries, 0);
	const [head, , ...lines] = readDigest(execution).split('\n');
	const expected = `${count(total, 'entry', 'entries')} at ${count(counts.length, 'account', 'accounts')}`;
	if (head !== expected) found.push(`the digest starts with "${head}" instead of "${expected}"`);
	for (const { name, entries } of counts) {
		if (lines.filter((line) => line.startsWith(`• ${name}: ${entries} (`)).length !== 1) {
			found.push(`the ${entries} entries of ${name} are not in the digest`);
		}
	}
	return found;
}
