import { causes, findCause, type Verdict } from '../../nodes/api/causes.ts';
import { at } from '../../nodes/api/request.ts';
import { writeTable } from './markdown.mts';

const outcomes: Record<Verdict, string> = {
	unsent: 'Not sent',
	unsendable: 'Not sent',
	busy: 'Not done, and resent after the pause that the service asks for',
	refused: 'Not done',
	'in doubt': 'Unknown. A write may be done',
};

/** Why requests fail, from the table in the code. */
export function writeCausesTable(): string {
	const rows = Object.entries(causes).map(([name, cause]) => {
		const { message, advice, verdict, passes } = cause;
		const statuses = listStatuses(name);
		return [
			`\`${message.replace(/\{\w+\}/, '…')}\`${statuses && ` (${statuses})`}`,
			outcomes[verdict],
			[passes && 'Retry later.', advice].filter(Boolean).join(' '),
		];
	});
	return writeTable(['Message', 'What was asked for', 'What to do'], rows);
}

/** Cloudflare's own, from 520 on, are the same as 502. */
const known = Array.from({ length: 220 }, (_, n) => 300 + n);

const requests = [
	{ method: 'GET', ...at.person`/persons` },
	{ method: 'POST', ...at.person`/persons`, body: { name: 'Ada' } },
	{ method: 'DELETE', ...at.page`/pages/${'page'}` },
] as const;

/** The statuses that have this cause. Those without a meaning of their own are not named one by one. */
function listStatuses(name: string): string {
	const found = known.filter((status) =>
		requests.some((request) => {
			const headers = status === 503 && name === 'comesBack' ? { 'retry-after': '5' } : {};
			const response = { responded: true, status, headers, body: {}, apiKey: '', request } as const;
			return findCause(response) === name;
		}),
	);
	const ofHundreds = [3, 4, 5].map((hundred) => {
		const some = found.filter((status) => Math.floor(status / 100) === hundred);
		return some.length > 6 ? `${hundred}xx` : some.join(', ');
	});
	return ofHundreds.filter(Boolean).join(', ');
}
