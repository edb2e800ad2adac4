import { type Cause, causes, findCause, type Verdict } from '../../nodes/api/causes.ts';
import { at } from '../../nodes/api/request.ts';
import { writeTable } from './markdown.mts';

/**
 * Why a request fails with a status, from the table in the code: each message once. Where a write may be done, the status has
 * a star. Other failures say a code, which the page has in a table of its own.
 */
export function writeCausesTable(): string {
	const all = Object.entries(causes)
		.map(([name, cause]: [string, Cause]) => ({ ...cause, statuses: listStatuses(name) }))
		.filter(({ statuses }) => statuses.length > 0);
	const rows = [...Map.groupBy(all, ({ message }) => message)].map(([message, group]) => [
		group.flatMap(markStatuses).join(', '),
		`\`${message.replace(/\{\w+\}/, '…')}\``,
		firstSentence(group[0].advice || 'Retry later.'),
	]);
	return writeTable(['Status', 'Message', 'What to do'], rows);
}

/** The message in n8n has the rest. */
const firstSentence = (text: string): string => /^.+?\.(?= |$)/.exec(text)![0];

function markStatuses({ statuses, verdict }: { statuses: string[]; verdict: Verdict }): string[] {
	if (verdict === 'in doubt') return statuses.map((status) => `${status}\\*`);
	return statuses.map((status) => (status === '503' ? '503 with `Retry-After`' : status));
}

/** Cloudflare's own, from 520 on, are the same as 502. */
const known = Array.from({ length: 220 }, (_, n) => 300 + n);

const requests = [
	{ method: 'GET', ...at.person`/persons` },
	{ method: 'POST', ...at.person`/persons`, body: { name: 'Ada' } },
	{ method: 'DELETE', ...at.page`/pages/${'page'}` },
] as const;

/** The statuses that have this cause. Those without a meaning of their own are not named one by one. */
function listStatuses(name: string): string[] {
	const found = known.filter((status) =>
		requests.some((request) => {
			const headers = status === 503 && name === 'comesBack' ? { 'retry-after': '5' } : {};
			const response = { responded: true, status, headers, body: {}, apiKey: '', request } as const;
			return findCause(response) === name;
		}),
	);
	return [3, 4, 5].flatMap((hundred) => {
		const some = found.filter((status) => Math.floor(status / 100) === hundred);
		return some.length > 6 ? `other ${hundred}xx` : some.map(String);
	});
}
