import { serve, type LocalServer } from '../test/localServer.mts';
import type { Randomness } from '../sandbox/store/randomness.mts';

type Listed = { id: string; startedAt: number; text: string };

const largestLimit = 1_000;
const hourMs = 3_600_000;
/** A session appears at most so long after it started. */
const mostLateMs = 40 * hourMs;

/** A service of sessions only. They exist as texts from the beginning, so that a list that grows takes no more memory. */
export class SessionList {
	/** It refuses every request of the polls up to this one. */
	refusedUntil = 0;
	isRefusing = false;
	late = 0;
	/** How many of them are in the list. The first ones are from the start. */
	size: number;
	#server!: LocalServer;
	readonly #sessions: Listed[] = [];

	private constructor(before: number) {
		this.size = before;
	}

	/** One in ten of those that come within the time appears late. */
	static async open(
		{ before, later, withinMs }: { before: number; later: number; withinMs: number },
		randomness: Randomness,
	): Promise<SessionList> {
		const list = new SessionList(before);
		const now = Date.now();
		for (let n = 0; n < before + later; n++) {
			const appearsAt = now + (Math.max(0, n - before) / later) * withinMs;
			const isLate = n >= before && randomness.chance(0.1);
			if (isLate) list.late++;
			const startedAt = appearsAt - (isLate ? randomness.between(0, mostLateMs) : 0);
			list.#sessions.push(makeSession(nameOf(n), Math.floor(startedAt)));
		}
		list.#server = await serve(({ path }) => list.#answer(path));
		return list;
	}

	get url(): string {
		return this.#server.url;
	}

	close(): void {
		this.#server.close();
	}

	#answer(path: string): { status: number; body: string } {
		if (this.isRefusing) return { status: 403, body: '{"message":"down"}' };
		const { searchParams: query } = new URL(path, this.url);
		const limit = Number(query.get('limit') ?? largestLimit);
		if (limit > largestLimit) return { status: 400, body: '{"message":"limit is too large"}' };
		const since = Date.parse(query.get('startDate') ?? '1970-01-01');
		// What started since then also appeared since then, so the rest of the list need not be looked at.
		let first = this.size;
		while (first > 0 && this.#sessions[first - 1].startedAt >= since - mostLateMs) first--;
		const found = this.#sessions
			.slice(first, this.size)
			.filter(({ startedAt }) => startedAt >= since);
		const offset = Number(query.get('cursor') ?? 0);
		const items = found.slice(offset, offset + limit).map(({ text }) => text);
		const next = offset + limit < found.length ? `"${offset + limit}"` : 'null';
		const body = `{"items":[${items.join()}],"hasMore":${next !== 'null'},"nextCursor":${next},"totalCount":${found.length}}`;
		return { status: 200, body };
	}
}

const nameOf = (number: number): string => `audsession_${number}`;

/** The number of a session, by its ID. */
export const numberOf = (id: unknown): number => Number(String(id).split('_')[1]);

function makeSession(id: string, startedAt: number): Listed {
	const session = {
		audienceSessionId: id,
		pageId: 'page_1',
		formSubmissionId: '',
		hasFormSubmit: false,
		formSubmissionEmail: '',
		computationStatus: 'completed',
		timeSpentSeconds: startedAt % 900,
		sessionStartedAt: new Date(startedAt).toISOString(),
	};
	return { id, startedAt, text: JSON.stringify(session) };
}
