import type { Sandbox } from '../../sandbox/index.mts';
import { itemsOf, listFailures, type Execution } from '../n8n/execution.mts';

/** The nodes of the example that the check reads. */
export const digestNodes = { accounts: 'Find accounts', digest: 'Digest' };

const weekMs = 7 * 24 * 60 * 60_000;

export const readDigest = (execution: Execution): string =>
	String(itemsOf(execution, digestNodes.digest)[0]?.json.text ?? '');

const count = (number: number, one: string, several: string): string =>
	`${number} ${number === 1 ? one : several}`;

/** Compares the text with the sandbox's activities of the last seven days. Returns the deviations. */
export function findDigestDeviations(execution: Execution, { store }: Sandbox): string[] {
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
