import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import {
	type Analysis,
	byTry,
	endOf,
	type Group,
	isConfirmed,
	isFor,
	isInDoubt,
	keyOf,
	mayBeWritten,
	statusOf,
} from '../analysis.mts';
import type { Work } from '../fakeService.mts';

/**
 * What was written once is not sent again; without a key, neither is what may have been written. Only a Retry, which a
 * person starts who was told of the doubt, sends it once more.
 */
export function nothingIsWrittenTwice({ write, groups, works }: Analysis): string[] {
	if (!write) return [];
	return groups.flatMap((group) => {
		const sent = [...group.earlier, ...group.exchanges];
		const most = group.items.length + group.earlier.filter(isInDoubt).length;
		const confirmed = sent.filter(isConfirmed).length;
		const mayBeThere = sent.filter(mayBeWritten).length;
		const done = worksOf(group, works).length;
		const isAlone = write.kind === 'unrepeatable';
		return [
			confirmed > most && `${describe(group)}: ${confirmed} confirmed, of ${most} wanted`,
			isAlone && done > most && `${describe(group)}: written ${done} times, of ${most} wanted`,
			isAlone &&
				mayBeThere > most &&
				`${describe(group)}: ${mayBeThere} may be there, of ${most} wanted`,
		].filter((breach) => breach !== false);
	});
}

/**
 * A key stands for one content of what may be written, and what one item writes has one key, in every try and every Retry
 * that may have written it.
 */
export function keysBelongToOneWrite({ write, groups, exchanges, scenario }: Analysis): string[] {
	if (write?.id !== 'personLogId') return [];
	const keyless = exchanges.filter((exchange) => typeof keyOf(exchange) !== 'string').length;
	if (!write.keys) return keyless < exchanges.length ? ['a key is sent that nobody wanted'] : [];
	const breaches = keyless > 0 ? ['a request has no key'] : [];
	const contents = new Map<unknown, object>();
	const isEach =
		write.keys === 'auto' ||
		(write.keys === 'content' && (scenario.changes || scenario.retries.length > 0));
	for (const group of groups) {
		const written = [...group.earlier, ...group.exchanges].filter(mayBeWritten);
		for (const exchange of written) {
			const key = keyOf(exchange);
			const content = { ...(exchange.request.body as object), idempotencyKey: 0 };
			if (!isDeepStrictEqual(contents.get(key) ?? content, content) && write.keys !== 'custom')
				breaches.push(`the key ${String(key)} stands for several contents`);
			contents.set(key, content);
		}
		const isForeign = group.exchanges.some((exchange) => keyOf(exchange) !== group.wanted.key);
		if (write.keys === 'custom' && isForeign) breaches.push("a key is not the person's own");
		const most = isEach ? group.items.length : 1;
		const { size } = new Set(written.map(keyOf));
		if (size > most) breaches.push(`${describe(group)}: ${size} keys for ${most} writes`);
	}
	return breaches;
}

/** Changes of one record go out one after another, and each try begins them in the order of the input. */
export function changesKeepTheirOrder({ write, groups, exchanges, scenario }: Analysis): string[] {
	if (write?.kind !== 'repeatable') return [];
	const breaches: string[] = [];
	for (const own of byTry(exchanges))
		for (const [at, exchange] of own.entries()) {
			const before = own
				.slice(0, at)
				.filter(({ request }) => request.path === exchange.request.path);
			if (before.some((other) => endOf(other) > exchange.startedAtMs))
				breaches.push(`${exchange.request.path} is changed twice at once`);
		}
	if (scenario.tries > 1 || scenario.retries.length > 0) return breaches;
	const begun = groups.filter((group) => group.exchanges.length > 0);
	for (const [at, { exchanges: own, wanted }] of begun.entries()) {
		const before = begun.slice(0, at).filter((group) => group.wanted.path === wanted.path);
		if (before.some((group) => group.exchanges[0].number > own[0].number))
			breaches.push(`${wanted.path} is changed in another order`);
	}
	return breaches;
}

/** What was confirmed comes out, and what comes out was written, for this item and for no other. */
export function successesAreReal(analysis: Analysis): string[] {
	const { write, groups, works, records, stop } = analysis;
	if (!write || stop) return [];
	const breaches: string[] = [];
	const givenOut = new Set<unknown>();
	for (const group of groups) {
		const successes = group.items.flatMap((item) => records[item]);
		// The service may say by itself that it has a key that was sent before: 409.
		const real = successes.filter((record) => record.alreadyStored !== true);
		const sent = [...group.earlier, ...group.exchanges];
		const isSaid = sent.some(isInDoubt) && sent.some((exchange) => statusOf(exchange) === 409);
		if (real.length < successes.length && !isSaid)
			breaches.push(`${describe(group)}: told as stored before`);
		const confirmed = group.exchanges.filter(isConfirmed).length;
		if (successes.length < confirmed)
			breaches.push(`${describe(group)}: ${confirmed} confirmed, ${successes.length} came out`);
		// Where a key is shared, the first one's work stands for all.
		const isShared = write.keys === 'content' || write.keys === 'custom';
		const done = isShared ? works.filter((work) => hasKeyOf(work, group)) : worksOf(group, works);
		for (const record of real) {
			const id = record[write.id];
			if (!done.some((work) => isRecordOf(work, record)))
				breaches.push(`${describe(group)}: ${JSON.stringify(record)} is not what was written`);
			if (write.kind !== 'repeatable' && !isShared && givenOut.has(id))
				breaches.push(`${describe(group)}: ${String(id)} comes out twice`);
			givenOut.add(id);
		}
	}
	return breaches;
}

/** `maybeDone` is told where something may have been done, and only there. */
export function doubtIsTold(analysis: Analysis): string[] {
	const { write, groups, works, records, failures, stop } = analysis;
	const breaches: string[] = [];
	for (const group of groups) {
		const own = group.items.flatMap((item) => failures[item] ?? []);
		if (stop && group.items.includes(stop.item ?? -1)) own.push(stop);
		const mayBeDone =
			write && (group.exchanges.some(isInDoubt) || group.earlier.some(mayBeWritten));
		if (!mayBeDone && own.some(({ maybeDone }) => maybeDone))
			breaches.push(`${describe(group)}: nothing can have been done, and maybeDone is true`);
		if (!write || stop) continue;
		const successes = group.items.flatMap((item) => records[item]).length;
		// What a Retry sent once more was told before.
		const done = worksOf(group, works).length - group.earlier.filter(isInDoubt).length;
		const untold =
			write.kind === 'unrepeatable' ? done - successes : Number(done > 0 && successes === 0);
		const told = own.filter(({ maybeDone }) => maybeDone !== false).length;
		if (told < untold)
			breaches.push(`${describe(group)}: ${untold} were written and are told as not done`);
	}
	return breaches;
}

/** "N of M items were written" counts what the service confirmed. */
export function progressIsCounted({ stop, scenario, write, exchanges }: Analysis): string[] {
	// Of several executions, this one does not know what each of the others kept.
	if (!stop || !write || scenario.retries.length > 0) return [];
	const [, written, all] = / (\d+) of (\d+) items were written/.exec(stop.message) ?? [];
	if (written === undefined) return [];
	const confirmed = exchanges.filter(isConfirmed).length;
	// A refused repeat says that an attempt without an answer was one.
	const stored = exchanges.filter((exchange) => statusOf(exchange) === 409).length;
	const isTrue = Number(written) >= confirmed && Number(written) <= confirmed + stored;
	return isTrue && Number(all) === scenario.items.length
		? []
		: [`told: ${written} of ${all} written, not ${confirmed}`];
}

function worksOf({ wanted }: Group, works: Work[]): Work[] {
	return works.filter((work) => isFor(wanted, work));
}

/** The work was done under a key that was sent for the group. */
function hasKeyOf({ body }: Work, { exchanges, earlier }: Group): boolean {
	return [...earlier, ...exchanges].map(keyOf).includes(body.idempotencyKey);
}

function isRecordOf({ record }: Work, came: IDataObject): boolean {
	const copy = (value: object) => JSON.parse(JSON.stringify(value)) as IDataObject;
	// What n8n has stored is made of the objects of another realm.
	return isDeepStrictEqual({ ...copy(came), ...copy(record) }, copy(came));
}

function describe({ wanted: { method, path, body } }: Group): string {
	return `${method} ${path} ${JSON.stringify(body ?? '')}`;
}
