import { quote } from '../parameters/checks';
import { toHost } from './domain';
import { deniesFieldRunTogether, isNothing, isTyped, listWords } from './nothing';
import { describeMix, mixesAlphabets, placeholder, reader, type Reading } from './reading';
import { isMailProvider } from './sites';
import { fieldWords, testWords } from './words';

/** An address has these letters before its @. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+=^_`{|}~.-]+$/u;

/** An address: the only word of its cell that has one @. */
export const readEmail = reader({
	name: 'email address',
	find: (text) =>
		text
			.replace(/ ?[[({] ?(?:at|@|arroba) ?[\])}] ?/gi, '@')
			.replace(/ ?[[({] ?(?:dot|punkt|punto|\.) ?[\])}] ?/gi, '.')
			// What a link to an address adds, such as a subject.
			.replace(/(@[^\s?@]{1,253})\?[^\s|,;<>]*/g, '$1')
			.split(/[\s<>()[\]{},;:"|]+/)
			.flatMap((word) => readWord(word)),
	explain: (text) => `must be an email address, but is ${quote(text)}`,
});

function readWord(word: string): Array<Exclude<Reading, undefined>> {
	const [local = '', host = '', ...more] = word.split('@');
	const name = local.replace(/^[^\p{L}\p{N}_+]+/u, '');
	const domain = toHost(host.replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, ''));
	if (
		more.length > 0 ||
		domain === undefined ||
		!localPart.test(name) ||
		!/[\p{L}\p{N}]/u.test(name)
	)
		return [];
	if (mixesAlphabets(name.replace(/[^\p{L}]/gu, '')) || mixesAlphabets(host))
		return [describeMix(word)];
	const value = `${name.toLowerCase()}@${domain}`;
	return isMadeUp(name.toLowerCase(), domain) ? [placeholder(value)] : [{ value, identity: value }];
}

/** Addresses that people enter who do not have one: all of them would become one person. */
function isMadeUp(local: string, domain: string): boolean {
	const [site = ''] = domain.split('.');
	const name = local.replace(/(?<!\d)\d+$/, '') || local;
	// noemail@, keine.angabe@, but not the initials of k.a@
	const words = listWords(name);
	// RFC 2606 keeps .invalid for addresses of no one.
	if (domain.endsWith('.invalid')) return true;
	const isPhrase = words.length > 1 && words.some((word) => word.length > 1) && isNothing(name);
	if (isPhrase || deniesFieldRunTogether(name)) return true;
	// test@fb.com is Facebook's own test lead.
	const isForTests = testWords.has(site) || /^(?:fb|meta|facebook)$/.test(site);
	if (testWords.has(name) && (isForTests || samples.test(site))) return true;
	const saysNothing = isNothing(name);
	// none@none.com, no@email.com, none@gmail.com
	const isSharedSite = isMailProvider(domain) && !alsoNames.test(name);
	if (saysNothing && (isNothing(site) || fieldWords.has(site) || isSharedSite)) return true;
	// your@email.com, name@example.com
	const isLabel = words.every((word) => fieldWords.has(word) || labels.test(word));
	if (isLabel && samples.test(site)) return true;
	// asdf@asdf.com, aa@aa.aa
	return name === site && (saysNothing || isTyped(name) || isShort(name));
}

/** Words that say nothing, and are names of people. */
const alsoNames = /^(?:nada|leer|laden|sem|ask)$/;

/** The names of sites in examples. */
const samples =
	/^(?:e?mail|domain|example|company|yourdomain|yourcompany|site|website|test|beispiel|ejemplo|exemple|exemplo|esempio|voorbeeld|przyklad|exempel|eksempel|ornek)$/;

const labels =
	/^(?:your(?:name|email|mail)?|e?mail|(?:first|last|user)?name|user|someone|example|address)$/;

/** `aa`, `abc`, `xy`: nobody's name. */
const isShort = (name: string): boolean => name.length < 4;
