import type { Guesses } from '../../../sandbox/guesses.mts';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import { Randomness } from '../../../sandbox/store/randomness.mts';
import type { Store } from '../../../sandbox/store/store.mts';
import type { Reply, WireRequest } from './wire.mts';

/** How the service answers lists; the API's description leaves all of it open but the names. */
export interface ListStyle {
	/** The largest `limit`. */
	maximum: number;
	/**
	 * What becomes of a larger one: the page is cut without a word, or refused with this status.
	 * 'ignored': every page has the maximum, whatever was asked for.
	 */
	limits: 'cut' | 'ignored' | 400 | 413 | 422 | 500;
	cursor: 'opaque' | 'page number' | 'odd';
	end:
		| 'as documented'
		/** Without `hasMore`. */
		| 'no hasMore'
		/** A full page says that there is more, though the next one is empty. */
		| 'empty page'
		/** `hasMore` is false, and a position comes with it. */
		| 'position left'
		/** `hasMore` stays true, without a position. */
		| 'endless'
		/** `hasMore` stays true, with the position that was asked for, where there was one. */
		| 'same again';
	totalCount: 'honest' | 'null' | 'absent' | 'low';
	/** What an offset past the end brings: an empty page, or a refusal. */
	pastEnd: 'empty' | 400 | 404 | 416;
	/** Records whose ID is null or absent. */
	blankIds: 'none' | 'some' | 'all';
	/** The first page is empty although there is more. */
	emptyFirst: boolean;
}

export interface ServiceStyle {
	/** What the service does with an idempotency key that it has seen. */
	repeatedKey: Guesses['repeatedKey'];
	/** Records of the longest list; list n has count >> n of them. */
	count: number;
	list: ListStyle;
}

/** Something that the service really did. */
export interface Work {
	method: string;
	path: string;
	body: Record<string, unknown>;
	/** What it answered. */
	record: Record<string, unknown>;
}

/** Ends of lists that are no end: a client has to give the list up, but must not go on for ever. */
export const deadEnds: ReadonlyArray<ListStyle['end']> = ['endless', 'same again'];

const defaultLimit = 25;

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/** An ID as the API documents them: a word, and 26 lower-case letters or digits. */
export function makeId(word: string, number: number): string {
	return `${word}_${alphabet.slice(0, 20)}${String(number).padStart(6, '0')}`;
}

/** The records of a list, as it would be read whole. */
export function listRecords(
	kind: 'person' | 'activity' | 'audience' | 'page',
	number: number,
	{ count, list }: ServiceStyle,
): Array<Record<string, unknown>> {
	return Array.from({ length: count >> number }, (_, at) => {
		const isBlank = list.blankIds === 'all' || (list.blankIds === 'some' && at % 3 > 0);
		const id = isBlank ? null : makeId(kind, number * 100_000 + at);
		return { [`${kind}Id`]: id, name: `${kind} ${at}`, payload: { list: number } };
	});
}

// One for all runs, because making its records takes longer than a run.
const sandbox = new SandboxInProcess();
addKnown(sandbox.store);

/** The records that items change. */
function addKnown({ accounts, pages, audiences }: Store): void {
	const [[account], [page], [audience]] = [accounts.all(), pages.all(), audiences.all()];
	const { pageId } = pages.add({ ...page, pageId: makeId('page', 1) });
	for (let number = 0; number < 6; number++) {
		accounts.add({ ...account, accountId: makeId('account', number) });
		audiences.add({ ...audience, pageId, audienceId: makeId('audience', number) });
	}
}

/** The sandbox, with the lists of another service. */
export class Service {
	readonly works: Work[] = [];

	private readonly style: ServiceStyle;

	/** Odd cursors mean nothing by themselves; these are the positions that they stand for. */
	private readonly positions = new Map<string, number>();

	constructor(style: ServiceStyle) {
		this.style = style;
		sandbox.store.persons.clear();
		sandbox.store.personLogs.clear();
		const page = sandbox.store.pages.get(makeId('page', 1));
		sandbox.store.pages.clear();
		if (page) sandbox.store.pages.add(page);
		sandbox.store.randomness = new Randomness(0);
		sandbox.guesses.repeatedKey = style.repeatedKey;
		sandbox.guesses.existingAccount = 'duplicate';
	}

	answer(request: WireRequest): Reply {
		const { method, path } = request;
		if (method === 'GET') return this.list(path.split('/').slice(2), request);
		const logs = sandbox.store.personLogs.size;
		const reply = sandbox.answer(request);
		const isRepeated = path.endsWith('/person_logs') && sandbox.store.personLogs.size === logs;
		if (reply.status < 300 && !isRepeated) {
			const body = (request.body ?? {}) as Work['body'];
			this.works.push({ method, path, body, record: { ...reply.body } });
		}
		return reply;
	}

	private list(segments: string[], { query }: WireRequest): Reply {
		const { list } = this.style;
		const asked = Number(query.limit ?? defaultLimit);
		if (!Number.isInteger(asked) || asked < 1) return refuse(400);
		if (asked > list.maximum && typeof list.limits === 'number') return refuse(list.limits);
		const limit = list.limits === 'ignored' ? list.maximum : Math.min(asked, list.maximum);
		const number = Number(/\d+$/.exec(segments[1] ?? '')?.[0] ?? 0);
		if (segments[0] === 'accounts') {
			return this.byOffset(listRecords('activity', number, this.style), limit, query);
		}
		if (segments[0] === 'persons') {
			return this.byCursor('persons', listRecords('person', 0, this.style), limit, query);
		}
		if (segments[1] === 'search') {
			const items = listRecords('page', 0, this.style).slice(0, limit);
			return { status: 200, body: { items } };
		}
		return this.byCursor(
			segments.join(),
			listRecords('audience', number, this.style),
			limit,
			query,
		);
	}

	private byCursor(
		name: string,
		records: unknown[],
		limit: number,
		{ cursor }: WireRequest['query'],
	): Reply {
		const { list } = this.style;
		if (cursor === undefined && list.emptyFirst && records.length > 0) {
			const nextCursor = this.writeCursor(name, 0, limit);
			return this.page([], records.length, { hasMore: true, nextCursor });
		}
		const from = cursor === undefined ? 0 : this.readCursor(name, cursor, limit);
		if (from === undefined) return refuse(400);
		const to = from + limit;
		const nextCursor =
			to >= records.length && list.end === 'same again'
				? (cursor ?? null)
				: this.nameNext(to, records.length, () => this.writeCursor(name, to, limit));
		const hasMore = this.hasMore(from, to, records.length);
		return this.page(records.slice(from, to), records.length, { hasMore, nextCursor });
	}

	private byOffset(records: unknown[], limit: number, query: WireRequest['query']): Reply {
		const { list } = this.style;
		const from = Number(query.offset ?? 0);
		if (!Number.isSafeInteger(from) || from < 0) return refuse(400);
		const isPast = list.end === 'empty page' ? from > records.length : from >= records.length;
		if (from > 0 && isPast && list.pastEnd !== 'empty') return refuse(list.pastEnd);
		if (from === 0 && list.emptyFirst && records.length > 0) {
			return this.page([], records.length, { hasMore: true, nextOffset: 0 });
		}
		const to = from + limit;
		const nextOffset =
			to >= records.length && list.end === 'same again'
				? from
				: this.nameNext(to, records.length, () => to);
		const hasMore = this.hasMore(from, to, records.length);
		return this.page(records.slice(from, to), records.length, { hasMore, nextOffset });
	}

	private hasMore(from: number, to: number, length: number): boolean | undefined {
		const { end } = this.style.list;
		if (end === 'no hasMore') return undefined;
		if (end === 'empty page') return to <= length && from < length;
		return to < length || deadEnds.includes(end);
	}

	/** The position after a page that ends at `to`. */
	private nameNext<T>(to: number, length: number, name: () => T): T | null {
		const { end } = this.style.list;
		const isNamed =
			to < length || end === 'position left' || (end === 'empty page' && to === length);
		return isNamed ? name() : null;
	}

	private page(items: unknown[], length: number, rest: object): Reply {
		const counts = { honest: length, null: null, absent: undefined, low: length >> 1 };
		const totalCount = counts[this.style.list.totalCount];
		return { status: 200, body: { items, totalCount, ...rest } };
	}

	private writeCursor(list: string, position: number, limit: number): string {
		switch (this.style.list.cursor) {
			case 'opaque':
				return Buffer.from(`after:${position}`).toString('base64url');
			case 'page number':
				return String(Math.floor(position / limit) + 1);
			case 'odd': {
				const cursor = `0 &limit=1#/${list}?%${position} 後\n"`;
				this.positions.set(cursor, position);
				return cursor;
			}
		}
	}

	private readCursor(list: string, cursor: string, limit: number): number | undefined {
		switch (this.style.list.cursor) {
			case 'opaque': {
				const text = Buffer.from(cursor, 'base64url').toString();
				const position = /^after:(\d+)$/.exec(text)?.[1];
				return position === undefined ? undefined : Number(position);
			}
			case 'page number':
				// Whoever changes the limit on the way gets other records.
				return (Number(cursor) - 1) * limit;
			case 'odd':
				return cursor.includes(list) ? this.positions.get(cursor) : undefined;
		}
	}
}

function refuse(status: number): Reply {
	return { status, body: { error: 'refused', message: `The model answers ${status}` } };
}
