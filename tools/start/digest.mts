import type { Sandbox } from '../../sandbox/index.mts';
import { itemsOf, type Execution } from '../n8n/execution.mts';

/** The nodes of the example that its check looks at. */
export const digestNodes = { accounts: 'Find accounts', digest: 'Digest' };

const weekMs = 7 * 24 * 60 * 60_000;

export const readDigest = (execution: Execution): string =>
	String(itemsOf(execution, digestNodes.digest)[0]?.json.text ?? '');

const count = (number: number, one: string, several: string): string =>
	`${number} ${number === 1 ? one : several}`;

/** Compares the text with the sandbox's activities of the last seven days. Returns what is off. */
export function findDigestDeviations(execution: Execution, { store }: Sandbox): string[] {
	const found: string[] = [];
	if (execution.status !== 'success') {
		found.push(`the execution ended as ${execution.status}: ${execution.error?.message ?? ''}`);
	}
	const digests = itemsOf(execution, digestNodes.digest);
	if (digests.length !== 1) found.push(`${digests.length} digests came out`);
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
	if (head !== expected) found.push(`${expected} came out as "${head}"`);
	for (const { name, entries } of counts) {
		if (lines.filter((line) => line.startsWith(`• ${name}: ${entries} (`)).length !== 1) {
			found.push(`the ${entries} entries of ${name} are not in the digest`);
		}
	}
	return found;
}
