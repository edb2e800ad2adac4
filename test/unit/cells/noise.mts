import { readLines } from '../../truth/truth.mts';

/*
 * What programs and people put around a value, each sort from public reports on forms, CRMs, spreadsheets and mail programs.
 * None of it belongs to the value.
 */

export const kinds = ['email', 'phone', 'national', 'profile', 'domain', 'name'] as const;

export type Kind = (typeof kinds)[number];

export interface Noise {
	sort: string;
	/** Of which kinds it is noise, and of which a value may be lost in it, or sent as it is, because it is rare. */
	kinds: string[];
	lost: string[];
	/** People type it, before a program adds anything. */
	isTyped: boolean;
	forms: Array<(value: string) => string>;
}

const escapeMarkup = (value: string): string =>
	value
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;')
		.replace(/'/g, '&#039;')
		.replace(/ /g, '&nbsp;')
		.replace(/[^\0-\x7f]/gu, (letter) => `&#x${(letter.codePointAt(0) ?? 0).toString(16)};`);

const signOf = (code: string): string => String.fromCodePoint(parseInt(code, 16));

/** Forms that are more than a text around a value. They may take an argument. */
const writers: Record<string, (value: string, argument: string) => string> = {
	entities: escapeMarkup,
	entitiesTwice: (value) => escapeMarkup(escapeMarkup(value)),
	link: (value, scheme) => `<a class='x' href="${scheme}${escapeMarkup(value)}">${value}</a>`,
	scheme: (value, scheme) => scheme + value.replace(/^https?:\/+/i, ''),
	each: (value, pair) => value.replaceAll(pair[0], pair.slice(2)),
	digits: (value, zero) =>
		value.replace(/\d/g, (digit) => String.fromCodePoint(parseInt(zero, 16) + Number(digit))),
	fullWidth: (value) =>
		value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
	wrap: (value, code) => signOf(code) + value + signOf(code),
	/** In the middle, where nobody sees it. */
	inside: (value, code) => {
		const letters = [...value];
		return letters.toSpliced(Math.floor(letters.length / 2), 0, signOf(code)).join('');
	},
	blanks: (value, code) => signOf(code) + value.replaceAll(' ', signOf(code)) + signOf(code),
	json: (value, template) => template.replace('"…"', () => JSON.stringify(value)),
	windows: (value) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(value)),
	latin: (value) => Buffer.from(value).toString('latin1'),
	parts: (value) => value.normalize('NFD'),
	capitals: (value) => value.toUpperCase(),
};

const groups: Record<string, string[] | undefined> = {
	all: [...kinds],
	addresses: kinds.filter((kind) => kind !== 'name'),
	phones: ['phone', 'national'],
	urls: ['profile', 'domain'],
};

/*
 * In test/truth: the name of the sort, whose users have reported it, the kinds of values (with `?` if one may be lost, and
 * `typed`), and its forms. In a form, `…` is the value, `‥` the value without blanks, `№` its digits, and `␣` a blank.
 */
const sorts = readLines('noise.tsv');

function formOf(text: string): (value: string) => string {
	const form = text.replaceAll('␣', ' ');
	const [, name = '', argument = ''] = /^(\w+)(?: (.*))?$/s.exec(form) ?? [];
	const write = writers[name] as (typeof writers)[string] | undefined;
	if (write) return (value) => write(value, argument);
	return (value) =>
		form.replace(/[…‥№]/g, (sign) => {
			if (sign === '‥') return value.replace(/\s/g, '');
			// A program makes a link of a plain number.
			return sign === '№' && /^[+\d ]+$/.test(value) ? value.replace(/\D/g, '') : value;
		});
}

export const noises: Noise[] = sorts.map(([sort, , of, ...forms]) => {
	const words = of.split(' ');
	const listKinds = (some: string[]) =>
		some.flatMap((word) => groups[word.replace('?', '')] ?? [word.replace('?', '')]);
	return {
		sort,
		kinds: listKinds(words),
		lost: listKinds(words.filter((word) => word.endsWith('?'))),
		isTyped: words.includes('typed'),
		forms: forms.map(formOf),
	};
});
