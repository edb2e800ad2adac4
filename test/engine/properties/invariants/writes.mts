import type { IDataObject } from 'n8n-workflow';
import { writeCanonical } from '../../../../nodes/runtime/canonical.ts';
import { hasId } from '../../../../nodes/api/response.ts';
import {
	type Evidence,
	type Group,
	isConfirmed,
	isInDoubt,
	keyOf,
	mayBeWritten,
	statusOf,
} from '../evidence.mts';
import type { Work } from '../service.mts';
import { withoutEnds } from '../texts.mts';

/**
 * What was written once is not sent again; without a key, neither is what may have been written. Only a Retry, which a
 * person starts who was told of the doubt, sends it once more.
 */
export function nothingIsWrittenTwice({ write, groups, works }: Evidence): string[] {
	if (!write) return [];
	return groups.flatMap((group) => {
		const sent = [...group.earlier, ...group.events];
		const most = group.items.length + group.earlier.filter(isInDoubt).length;
		const confirmed = sent.filter(isConfirmed).length;
		const uncertain = sent.filter(isInDoubt).length;
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

/**
 * A key stands for one content of what may be written, and what one item writes has one key, in every try and every Retry
 * that may have written it.
 */
export function keysBelongToOneWrite({ write, groups, events, scenario }: Evidence): string[] {
	if (!write || write.id !== 'personLogId') return [];
	const keyless = events.filter((event) => typeof keyOf(event) !== 'string').length;
	if (!write.keys) return keyless < events.length ? ['a key is sent that nobody wanted'] : [];
	const breaches = keyless > 0 ? ['a request has no key'] : [];
	const contents = new Map<unknown, Set<string>>();
	const changes = scenario.ending !== 'none' || scenario.retries.length > 0;
	for (const group of groups) {
		const before = group.earlier.filter(mayBeWritten);
		for (const event of [...before, ...group.events]) {
			const key = keyOf(event);
			const content = JSON.stringify({ ...(event.request.body as object), idempotencyKey: 0 });
			if (mayBeWritten(event)) contents.set(key, (contents.get(key) ?? new Set()).add(content));
			if (write.keys === 'custom' && key !== group.wanted.key)
				breaches.push(`the key ${String(key)} is not the person's own`);
		}
		const isEach = write.keys === 'auto' || (write.keys === 'content' && changes);
		const most = isEach ? group.items.length : 1;
		const written = [...before, ...group.events.filter(mayBeWritten)];
		const { size } = new Set(written.map(keyOf));
		if (size > most) breaches.push(`${describe(group)}: ${size} keys for ${most} writes`);
	}
	if (write.keys === 'custom') return breaches;
	for (const [key, names] of contents)
		if (names.size > 1) breaches.push(`the key ${String(key)} stands for ${names.size} contents`);
	return breaches;
}

/** Nothing is told as written without its ID, or as stored before without saying so. */
export function everySuccessHasItsId({ write, records }: Evidence): string[] {
	if (!write) return [];
	return records
		.flat()
		.filter((record) => record.alreadyStored !== true && !hasId(record, write.id))
		.map((record) => `told as written: ${JSON.stringify(record).slice(0, 300)}`);
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
		// The service may say by itself that it has the key: 409 to a repeat.
		const isSaid = group.events.some(({ fault, ...event }) => fault && statusOf(event) === 409);
		const real = isSaid ? successes.filter((record) => !record.alreadyStored) : successes;
		const least = isShared ? Math.min(real.length, 1) : real.length;
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
		const mayBeDone = write && (group.events.some(isInDoubt) || group.earlier.some(mayBeWritten));
		if (!mayBeDone && own.some(({ maybeDone }) => maybeDone))
			breaches.push(`${name}: nothing can have been done, and maybeDone is true`);
		if (!write || stop) continue;
		const successes = group.items.flatMap((item) => records[item]).length;
		// What a Retry sent once more was told before.
		const done = worksOf(group, works).length - group.earlier.filter(isInDoubt).length;
		const untold =
			write.kind === 'unrepeatable' ? done - successes : Number(done > 0 && successes === 0);
		const told = own.filter(({ maybeDone }) => maybeDone !== false).length;
		if (told < untold) breaches.push(`${name}: ${untold} were written and are told as not done`);
	}
	return breaches;
}

function worksOf({ wanted }: Group, works: Work[]): Work[] {
	return works.filter(
		({ method, path, body }) =>
			method === wanted.method &&
			path === wanted.path &&
			writeCanonical(withoutEnds(withoutKey(body))) === writeCanonical(wanted.body ?? {}),
	);
}

function withoutKey({ idempotencyKey: _, ...body }: Work['body']): object {
	return body;
}

/** The work was done under a key that was sent for the group. */
function hasKeyOf({ body }: Work, { events, earlier }: Group): boolean {
	return [...earlier, ...events].map(keyOf).includes(body.idempotencyKey);
}

function isRecordOf({ record }: Work, came: IDataObject): boolean {
	return Object.entries(record).every(
		([name, value]) => writeCanonical(came[name]) === writeCanonical(value),
	);
}

function describe({ wanted }: Pick<Group, 'wanted'>): string {
	const { method, path, body } = wanted;
	return `${method} ${path}${body ? ` ${JSON.stringify(body).slice(0, 300)}` : ''}`;
}
