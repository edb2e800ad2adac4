import { deniesAddress, isAbsent, mayBeNobody } from '../runtime/absent';
import { isMailbox, toHost, trimEnd } from './domain';
import { absent, type Unusable, reader, type Value } from './reading';

/** The words of a text that have one @. */
export const readEmail = reader({
	name: 'email address',
	expected: 'an email address',
	find: (text) => text.split(/[\s<>()[\]{},;:"|]+/).flatMap(readWord),
});

/** An address has these letters before its @. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=^_`~.-]+$/u;

/** Bytes of letters, which a program wrote for them: `=C3=B6`, `%20`. */
const escaped = /[%=][\dA-F]{2}/;

function readWord(word: string): Array<Value | Unusable> {
	// What a link to an address adds, such as a subject.
	const [given = '', rest = '', ...more] = word
		.replace(/^[^\p{L}\p{N}_.+/-]+|\?.*/gu, '')
		.split('@');
	const host = toHost(trimEnd(rest));
	if (host === undefined || more.length > 0 || !localPart.test(given) || escaped.test(given))
		return [];
	// A Turkish i in capitals would get a dot of its own.
	const local = given.replace(/İ/g, 'i').toLowerCase();
	const value = `${local}@${host}`;
	return [isNobody(local, host) ? absent(value) : { value, identity: value }];
}

/** Sites of samples, and of Facebook's own test lead. Whoever tries the node types `test@example.com`. */
const samples = /^(?:e?mail|domain|test|fb|meta|nowhere)$/;

/** `aaa@aaa.com`, `xx@xx.xx` */
const oneLetter = /^([a-z])\1+@\1+\./;

/** Addresses that people enter who do not want to give one: all of them would become one person. */
function isNobody(local: string, host: string): boolean {
	const [site = ''] = host.split('.');
	if (host.endsWith('.invalid') || deniesAddress(local)) return true;
	if (oneLetter.test(`${local}@${host}`)) return true;
	if (isMailbox(host) && isAbsent(local, 'name')) return true;
	return mayBeNobody(local) && (local === site || samples.test(site));
}
