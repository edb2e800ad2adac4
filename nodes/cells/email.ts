import { quote } from '../parameters/checks';
import { toHost } from './domain';
import { deniesFieldRunTogether, isNothing, isTyped, listWords } from './nothing';
import {
	describeMix,
	dottedCapital,
	type Found,
	mixesAlphabets,
	placeholder,
	reader,
} from './reading';
import { isMailProvider } from './sites';
import { fieldWords, labels, noWords, sampleSites, testWords } from './words';

/** An address has these letters before its @. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+=^_`{|}~.-]+$/u;

/** An address: the only word of its cell that has one @. */
export const readEmail = reader({
	name: 'email address',
	find: (text) => (isAddress.test(text) ? [text] : cutWords(text)).flatMap(readWord),
	explain: (text) => `must be an email address, but is ${quote(text)}`,
});

/** Most cells are one already. */
const isAddress = /^[\w.+-]+@[\w.-]+$/;

const cutWords = (text: string): string[] =>
	text
		.replace(/ ?[[({] ?(?:at|@|ät|arroba) ?[\])}] ?/gi, '@')
		.replace(/ ?[[({] ?(?:dot|punkt|punto|\.) ?[\])}] ?/gi, '.')
		.replace(
			/ at ([\w.-]+(?: dot [\w-]+)+)/gi,
			(_, host: string) => `@${host.replace(/ dot /gi, '.')}`,
		)
		// What a link to an address adds, such as a subject.
		.replace(/(@[^\s?&@]{1,253})(?:\?|&(?=[\w-]{1,20}=))[^\s|,;<>]*/g, '$1')
		.split(/[\s<>()[\]{},;:"|]+/);

function readWord(word: string): Found[] {
	const [local = '', host = '', ...more] = word.split('@');
	const name = local.replace(/^[^\p{L}\p{N}_+]+|^\p{L}+=/gu, '');
	const domain = toHost(host.replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, ''));
	const isName = localPart.test(name) && /[\p{L}\p{N}]/u.test(name);
	if (more.length > 0 || domain === undefined || !isName) return [];
	if (mixesAlphabets(name.replace(/[^\p{L}]/gu, '')) || mixesAlphabets(host))
		return [describeMix(word)];
	if (dottedCapital.test(name))
		return [{ problem: `has a capital İ: ${quote(word)}. Enter it in small letters` }];
	const value = `${name.toLowerCase()}@${domain}`;
	return isMadeUp(name.toLowerCase(), domain) ? [placeholder(value)] : [{ value, identity: value }];
}

/** Addresses that people enter who do not have one: all of them would become one person. */
function isMadeUp(local: string, domain: string): boolean {
	const name = local.replace(/(?<!\d)\d+$/, '') || local;
	// RFC 2606 keeps .invalid for addresses of no one. noemail@, keine.angabe@
	if (domain.endsWith('.invalid') || deniesFieldRunTogether(name)) return true;
	const [site = ''] = domain.split('.');
	const saysNothing = isNothing(name);
	const isSample = sampleSites.has(site);
	const isFieldSite = isSample || fieldWords.has(site) || isNothing(site);
	// none@none.com, no@email.com, none@gmail.com
	if ((saysNothing || noWords.has(name)) && isFieldSite) return true;
	if (saysNothing && isMailProvider(domain) && !alsoNames.test(name)) return true;
	// test@fb.com is Facebook's own test lead.
	const isForTests = isSample || testWords.has(site) || /^(?:fb|meta|facebook)$/.test(site);
	if (testWords.has(name) && isForTests) return true;
	// your@email.com, first.last@example.com, but not info@
	const isLabel =
		listWords(name).every((word) => fieldWords.has(word) || labels.has(word)) &&
		!/^(?:info|information|contacto?|kontakt|e?post)$/.test(name);
	if (isSample && (isLabel || /^(?:someone|example)$/.test(name))) return true;
	// asdf@asdf.com, aa@aa.aa. So few letters are no one's name.
	return name === site && (isTyped(name) || name.length < 4);
}

/** Words that say nothing, and are names of people. */
const alsoNames = /^(?:nada|leer|laden|sem|ask)$/;
