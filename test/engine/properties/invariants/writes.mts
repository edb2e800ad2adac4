import type { IDataObject } from 'n8n-workflow';
import { writeCanonical } from '../../../../nodes/runtime/canonical.ts';
import { type Evidence, type Group, isConfirmed, keyOf } from '../evidence.mts';
import { isUncertain } from '../faults.mts';
import type { Event } from '../play.mts';
import type { Work } from '../service.mts';

/** What was written once is not sent again; without a key, neither is what may have been written. */
export function nothingIsWrittenTwice({ write, groups, works }: Evidence): string[] {
	if (!write) return [];
	return groups.flatMap((group) => {
		const most = group.items.length;
		const confirmed = group.events.filter(isConfirmed).length;
		const uncertain = group.events.filter(({ fault }) => fault && isUncertain(fault)).length;
		const done = worksOf(group, works).length;
		const name = describe(group);
		const isAlone = write.kind === 'unrepeatable';
		return [
			confirmed > most && `${name}: ${confirmed} confirmed, of ${most} wanted`,
			isAlone && done > most && `${name}: written ${done} times, of ${most} wanted`,
			isAlone &&
				confirmed + uncertain > most &&
				`${name}: ${confirmed + uncertain} may be there, of ${most} wanted`,
		].filter((breach) => breach !== false);
	});
}

/** A key stands for one content, and what one item writes has one key, in every try that may have written it. */
export function keysBelongToOneWrite({ write, groups, events }: Evidence): string[] {
	if (!write || write.id !== 'personLogId') return [];
	const keyless = events.filter((event) => typeof keyOf(event) !== 'string').length;
	if (!write.keys) return keyless < events.length ? ['a key is sent that nobody wanted'] : [];
	const breaches = keyless > 0 ? ['a request has no key'] : [];
	const contents = new Map<unknown, Set<string>>();
	for (const group of groups) {
		for (const key of new Set(group.events.map(keyOf))) {
			contents.set(key, (contents.get(key) ?? new Set()).add(describe(group)));
			if (write.keys === 'custom' && key !== group.wanted.key)
				breaches.push(`the key ${String(key)} is not the person's own`);
		}
		const most = write.keys === 'auto' ? group.items.length : 1;
		const written = group.events.filter(mayBeWritten);
		const { size } = new Set(written.map(keyOf));
		if (size > most) breaches.push(`${describe(group)}: ${size} keys for ${most} writes`);
	}
	if (write.keys === 'custom') return breaches;
	for (const [key, names] of contents)
		if (names.size > 1) breaches.push(`the key ${String(key)} stands for ${names.size} contents`);
	return breaches;
}

/** What was confirmed comes out, and what comes out was written, for this item and for no other. */
export function successesAreReal(evidence: Evidence): string[] {
	const { write, groups, works, records, stop } = evidence;
	if (!write || stop) return [];
	const breaches: string[] = [];
	const givenOut = new Set<unknown>();
	for (const group of groups) {
		const name = describe(group);
		const successes = group.items.flatMap((item) => records[item]);
		const confirmed = group.events.filter(isConfirmed).length;
		if (successes.length < confirmed)
			breaches.push(`${name}: ${confirmed} confirmed, ${successes.length} came out`);
		// Where a key is shared, the first one's work stands for all.
		const isShared = write.keys === 'content' || write.keys === 'custom';
		const done = isShared ? works.filter((work) => hasKeyOf(work, group)) : worksOf(group, works);
		const least = isShared ? Math.min(successes.length, 1) : successes.length;
		if (write.kind !== 'repeatable' && done.length < least)
			breaches.push(`${name}: ${successes.length} came out, ${done.length} were written`);
		for (const record of successes) {
			if (record.alreadyStored === true) continue;
			const id = record[write.id];
			if (!done.some((work) => isRecordOf(work, record)))
				breaches.push(`${name}: ${JSON.stringify(record)} is not what was written`);
			if (write.kind !== 'repeatable' && !isShared && givenOut.has(id))
				breaches.push(`${name}: ${String(id)} comes out twice`);
			givenOut.add(id);
		}
	}
	return breaches;
}

/** `maybeDone` is told where something may have been done, and only there. */
export function doubtIsTold(evidence: Evidence): string[] {
	const { write, groups, works, records, failures, stop } = evidence;
	const breaches: string[] = [];
	for (const group of groups) {
		const name = describe(group);
		const own = group.items.flatMap((item) => failures[item] ?? []);
		if (stop && group.items.includes(stop.item ?? -1)) own.push(stop);
		const mayBeDone = write && group.events.some(({ fault }) => fault && isUncertain(fault));
		if (!mayBeDone && own.some(({ maybeDone }) => maybeDone))
			breaches.push(`${name}: nothing can have been done, and maybeDone is true`);
		if (!write || stop) continue;
		const successes = group.items.flatMap((item) => records[item]).length;
		const done = worksOf(group, works).length;
		const untold =
			write.kind === 'unrepeatable' ? done - successes : Number(done > 0 && successes === 0);
		const told = own.filter(({ maybeDone }) => maybeDone !== false).length;
		if (told < untold) breaches.push(`${name}: ${untold} were written and are told as not done`);
	}
	return breaches;
}

const mayBeWritten = (event: Event): boolean =>
	isConfirmed(event) || (event.fault !== undefined && isUncertain(event.fault));

function worksOf({ wanted }: Group, works: Work[]): Work[] {
	return works.filter(
		({ method, path, body }) =>
			method === wanted.method &&
			path === wanted.path &&
			writeCanonical(withoutKey(body)) === writeCanonical(wanted.body ?? {}),
	);
}

function withoutKey({ idempotencyKey: _, ...body }: Work['body']): object {
	return body;
}

/** The work was done under a key that was sent for the group. */
function hasKeyOf({ body }: Work, { events }: Group): boolean {
	return events.map(keyOf).includes(body.idempotencyKey);
}

function isRecordOf({ record }: Work, came: IDataObject): boolean {
	return Object.entries(record).every(
		([name, value]) => writeCanonical(came[name]) === writeCanonical(value),
	);
}

function describe({ wanted }: Pick<Group, 'wanted'>): string {
	const { method, path, body } = wanted;
	return `${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}`;
}
