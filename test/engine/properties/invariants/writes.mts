import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import type { Analysis, Group } from '../analysis.mts';
import type { Work } from '../fakeService.mts';

/**
 * What was written once is not sent again; without a key, neither is what may have been written. Only a Retry, which a
 * person starts who was told of the doubt, sends it once more.
 */
export function* nothingIsWrittenTwice({ write, groups }: Analysis) {
	if (!write) return;
	for (const group of groups) {
		const most = group.items.length + countDoubts(group);
		const confirmed = group.sent.filter(({ isConfirmed }) => isConfirmed).length;
		if (confirmed > most) yield `${describe(group)}: ${confirmed} confirmed, of ${most} wanted`;
		if (write.kind !== 'unrepeatable') continue;
		const done = group.works.length;
		if (done > most) yield `${describe(group)}: written ${done} times, of ${most} wanted`;
		const mayBeThere = group.sent.filter(({ mayBeWritten }) => mayBeWritten).length;
		if (mayBeThere > most)
			yield `${describe(group)}: ${mayBeThere} may be there, of ${most} wanted`;
	}
}

/**
 * A key stands for one content of what may be written, and what one item writes has one key, in every try and every Retry
 * that may have written it.
 */
export function* keysBelongToOneWrite({ write, groups, exchanges, scenario }: Analysis) {
	if (write?.id !== 'personLogId') return;
	const withKey = exchanges.filter(({ key }) => typeof key === 'string').length;
	if (!write.keys && withKey > 0) yield 'a key is sent that nobody wanted';
	if (!write.keys) return;
	if (withKey < exchanges.length) yield 'a request has no key';
	const contents = new Map<unknown, object>();
	const isEach =
		write.keys === 'auto' ||
		(write.keys === 'content' && (scenario.changes || scenario.retries.length > 0));
	for (const group of groups) {
		const written = group.sent.filter(({ mayBeWritten }) => mayBeWritten);
		for (const { key, request } of written) {
			const content = { ...(request.body as object), idempotencyKey: 0 };
			if (write.keys !== 'custom' && !isDeepStrictEqual(contents.get(key) ?? content, content))
				yield `the key ${String(key)} stands for several contents`;
			contents.set(key, content);
		}
		if (write.keys === 'custom' && group.exchanges.some(({ key }) => key !== group.wanted.key))
			yield "a key is not the person's own";
		const most = isEach ? group.items.length : 1;
		const { size } = new Set(written.map(({ key }) => key));
		if (size > most) yield `${describe(group)}: ${size} keys for ${most} writes`;
	}
}

/** Changes of one record go out one after another, and each try begins them in the order of the input. */
export function* changesKeepTheirOrder({ write, groups, tries, scenario }: Analysis) {
	if (write?.kind !== 'repeatable') return;
	for (const own of tries)
		for (const [at, { request, startedAtMs }] of own.entries()) {
			const before = own.slice(0, at).filter((other) => other.request.path === request.path);
			if (before.some(({ endedAtMs }) => endedAtMs > startedAtMs))
				yield `${request.path} is changed twice at once`;
		}
	if (scenario.tries > 1 || scenario.retries.length > 0) return;
	const begun = groups.filter((group) => group.exchanges.length > 0);
	for (const [at, { exchanges: own, wanted }] of begun.entries()) {
		const before = begun.slice(0, at).filter((group) => group.wanted.path === wanted.path);
		if (before.some((group) => group.exchanges[0].number > own[0].number))
			yield `${wanted.path} is changed in another order`;
	}
}

/** What was confirmed comes out, and what comes out was written, for this item and for no other. */
export function* successesAreReal({ write, groups, works, records, stop }: Analysis) {
	if (!write || stop) return;
	const givenOut = new Set<unknown>();
	for (const group of groups) {
		const successes = group.items.flatMap((item) => records[item]);
		// The service may say by itself that it has a key that was sent before: 409.
		const real = successes.filter((record) => record.alreadyStored !== true);
		const isSaid =
			group.sent.some(({ isInDoubt }) => isInDoubt) &&
			group.sent.some(({ status }) => status === 409);
		if (real.length < successes.length && !isSaid)
			yield `${describe(group)}: told as stored before`;
		const confirmed = group.exchanges.filter(({ isConfirmed }) => isConfirmed).length;
		if (successes.length < confirmed)
			yield `${describe(group)}: ${confirmed} confirmed, ${successes.length} came out`;
		// Where a key is shared, the first one's work stands for all.
		const isShared = write.keys === 'content' || write.keys === 'custom';
		const keys: unknown[] = group.sent.map(({ key }) => key);
		const done = isShared
			? works.filter(({ body }) => keys.includes(body.idempotencyKey))
			: group.works;
		for (const record of real) {
			const id = record[write.id];
			if (!done.some((work) => isRecordOf(work, record)))
				yield `${describe(group)}: ${JSON.stringify(record)} is not what was written`;
			if (write.kind !== 'repeatable' && !isShared && givenOut.has(id))
				yield `${describe(group)}: ${String(id)} comes out twice`;
			givenOut.add(id);
		}
	}
}

/** `maybeDone` is told where something may have been done, and only there. */
export function* doubtIsTold({ write, groups, records, failures, stop }: Analysis) {
	for (const group of groups) {
		const own = group.items.flatMap((item) => failures[item] ?? []);
		if (stop && group.items.includes(stop.item ?? -1)) own.push(stop);
		const mayBeDone =
			write &&
			(group.exchanges.some(({ isInDoubt }) => isInDoubt) ||
				group.earlier.some(({ mayBeWritten }) => mayBeWritten));
		if (!mayBeDone && own.some(({ maybeDone }) => maybeDone))
			yield `${describe(group)}: nothing can have been done, and maybeDone is true`;
		if (!write || stop) continue;
		const successes = group.items.flatMap((item) => records[item]).length;
		// What a Retry sent once more was told before.
		const done = group.works.length - countDoubts(group);
		const untold =
			write.kind === 'unrepeatable' ? done - successes : Number(done > 0 && successes === 0);
		const told = own.filter(({ maybeDone }) => maybeDone !== false).length;
		if (told < untold) yield `${describe(group)}: ${untold} were written and are told as not done`;
	}
}

/** "N of M items were written" counts what the service confirmed. */
export function* progressIsCounted({ stop, scenario, write, exchanges }: Analysis) {
	// Of several executions, this one does not know what each of the others kept.
	if (!stop || !write || scenario.retries.length > 0) return;
	const [, written, all] = / (\d+) of (\d+) items were written/.exec(stop.message) ?? [];
	if (written === undefined) return;
	const confirmed = exchanges.filter(({ isConfirmed }) => isConfirmed).length;
	// A refused repeat says that an attempt without an answer was one.
	const stored = exchanges.filter(({ status }) => status === 409).length;
	const isTrue = Number(written) >= confirmed && Number(written) <= confirmed + stored;
	if (!isTrue || Number(all) !== scenario.items.length)
		yield `told: ${written} of ${all} written, not ${confirmed}`;
}

/** What the executions before have left in doubt. */
function countDoubts({ earlier }: Group): number {
	return earlier.filter(({ isInDoubt }) => isInDoubt).length;
}

function isRecordOf({ record }: Work, came: IDataObject): boolean {
	const copy = (value: object) => JSON.parse(JSON.stringify(value)) as IDataObject;
	// What n8n has stored is made of the objects of another realm.
	return isDeepStrictEqual({ ...copy(came), ...copy(record) }, copy(came));
}

function describe({ wanted: { method, path, body } }: Group): string {
	return `${method} ${path} ${JSON.stringify(body ?? '')}`;
}
