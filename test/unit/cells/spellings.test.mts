import fc from 'fast-check';
import { readDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import { readName } from '../../../nodes/cells/name.ts';
import type { Reader } from '../../../nodes/cells/reading.ts';
import { generated } from '../../generated.mts';

// Extends contact.test.mts: mixes what its tables have one by one.

type Form = (value: string) => string;

/** How a kind of value is read, whose value it may be, how it is written, and what stands around it. */
interface ContactKind {
	read: Reader;
	/** A value for each number, of as many people. */
	make: (person: number) => string;
	forms: Form[];
	around: Form[];
}

const blanks: Form[] = [
	(value) => value,
	(value) => ` ${value}\n`,
	(value) => `\u200b\ufeff${value}\u00a0`,
	(value) => `\u202a${value}\u202c`,
];
const quotes: Form[] = [
	(value) => `"${value}"`,
	(value) => `'${value}`,
	(value) => `="${value}"`,
	(value) => `<${value}>`,
	(value) => `„${value}“`,
	(value) => `${value};`,
	(value) => `${value}, `,
];
const within: Form = (value) => `${value.slice(0, 6)}\u200b${value.slice(6)}`;

const inFullWidth: Form = (text) =>
	text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
const inArabic: Form = (text) =>
	text.replace(/\d/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0x630));

/** Numbers with and without a country code, of which none is another. */
const phoneOf = (person: number) => {
	const line = String(2_000_000 + (person % 5_000_000));
	return [`+49 30 ${line}`, `030 ${line}`, `+1 650 ${line}`, `+49 30 ${line} ext. 7`][person % 4];
};

const kinds: Record<string, ContactKind> = {
	phone: {
		read: readPhone,
		make: phoneOf,
		forms: [
			(value) => value,
			(value) => value.replace(/(?<=\d) (?=\d)/g, '-'),
			(value) => value.replace(/(?<=\d) (?=\d)/g, ''),
			(value) => value.replace(/^(\S+) (\d+)/, '$1 ($2)'),
			(value) => value.replace(/^\+49 /, '+49 (0)'),
			(value) => value.replace(/^\+/, '00'),
			(value) => value.replace(' ext. ', ';ext='),
			(value) => value.replace(' ext. ', ' DW: '),
			inFullWidth,
			inArabic,
			within,
		],
		around: [
			(value) => `Tel.: ${value}`,
			(value) => `tel:${value}`,
			(value) => `p:${value}`,
			(value) => `${value} (Ada Berg)`,
			(value) => `${value} mobil`,
			(value) => `Büro ${value}`,
		],
	},
	email: {
		read: readEmail,
		make: (person) => `ada.${person}@${person % 3 ? 'a' : 'bücher'}.example`,
		forms: [
			(value) => value,
			(value) => value.toUpperCase(),
			(value) => value.normalize('NFD'),
			within,
		],
		around: [
			(value) => `mailto:${value}`,
			(value) => `mailto:${value}?subject=Hello`,
			(value) => `Ada Berg <${value}>`,
			(value) => `"Berg, Ada" <${value}>`,
		],
	},
	profile: {
		read: readLinkedIn,
		make: (person) => `linkedin.com/in/andré-${person}`,
		forms: [
			(value) => value,
			(value) => value.toUpperCase(),
			encodeURI,
			(value) => encodeURI(value.normalize('NFD')),
			(value) => value.replace('/in/', '/comm/in/'),
			(value) => value.replace('/in/', '/mwlite/in/'),
			(value) => `https://www.${value}/de`,
			(value) => `http://de.${value}/details/experience/`,
			(value) => `https://${value}?trk=x#about`,
			(value) => encodeURIComponent(`https://${value}`),
			within,
		],
		around: [],
	},
	domain: {
		read: readDomain,
		make: (person) => `bücher-${person}.example`,
		forms: [(value) => value, (value) => value.toUpperCase(), (value) => `www.${value}`, within],
		around: [
			(value) => `https://${value}/about?x`,
			(value) => `//${value}:8080`,
			(value) => `Ada@${value}`,
			(value) => `mailto:ada@${value}`,
		],
	},
	name: {
		read: readName,
		make: (person) => `Zoë Berg-${person}`,
		forms: [
			(value) => value,
			(value) => value.replace(' ', ' \u00a0'),
			(value) => value.normalize('NFD'),
			(value) => value.replace(' ', '\n'),
		],
		around: [],
	},
};

const spelled = fc.record({
	kind: fc.constantFrom(...Object.keys(kinds)),
	person: fc.integer({ min: 0, max: 9_999 }),
	form: fc.nat(99),
	around: fc.nat(99),
	quote: fc.option(fc.nat(99), { nil: undefined }),
	blank: fc.nat(99),
});

type Spelling = typeof spelled extends fc.Arbitrary<infer T> ? T : never;

const pick = (forms: Form[], at: number): Form => forms[at % forms.length];

function spell({ kind, person, form, around, quote, blank }: Spelling): string {
	const { make, forms, around: words } = kinds[kind];
	// A name keeps its quotes, and those around words leave nothing to read.
	const outside =
		quote !== undefined && kind !== 'name'
			? pick(quotes, quote)
			: pick(words.concat(blanks[0]), around);
	return pick(blanks, blank)(outside(pick(forms, form)(make(person))));
}

const read = (kind: string, text: string) => {
	const reading = kinds[kind].read(text);
	return reading && 'identity' in reading ? reading.identity : JSON.stringify([text, reading]);
};

const settings = generated(5_000);

test('all spellings of a value are accepted, and are one person', () => {
	fc.assert(
		fc.property(spelled, (one) => {
			const { kind, person } = one;
			expect(read(kind, spell(one))).toBe(read(kind, kinds[kind].make(person)));
		}),
		settings,
	);
});

test('what is sent is read as it was before', () => {
	fc.assert(
		fc.property(spelled, (one) => {
			const reading = kinds[one.kind].read(spell(one));
			const value = reading && 'value' in reading ? reading.value : '';
			expect(kinds[one.kind].read(value)).toEqual(reading);
		}),
		settings,
	);
});

test('two people are never one, whatever the spelling', () => {
	fc.assert(
		fc.property(spelled, spelled, (one, other) => {
			fc.pre(one.person !== other.person);
			expect(read(one.kind, spell(one))).not.toBe(
				read(one.kind, spell({ ...other, kind: one.kind })),
			);
		}),
		settings,
	);
});

const separators = ['; ', ', ', ' ::: ', '|', '\n', ' / ', ' or ', ' oder ', ' und ', ' & '];

test('two values in one cell are no one', () => {
	const separator = fc.constantFrom(...separators);
	fc.assert(
		fc.property(spelled, fc.integer({ min: 0, max: 9_999 }), separator, (one, person, between) => {
			const { kind } = one;
			fc.pre(kind !== 'name' && one.person !== person);
			const cell = spell({ ...one, quote: undefined }) + between + kinds[kind].make(person);
			expect(kinds[kind].read(cell)).toMatchObject({
				problem: expect.stringMatching(/./) as string,
			});
		}),
		settings,
	);
});

test('a placeholder is no one, however it is written', () => {
	const words = [
		...['n/a', 'none', 'k.A.', 'Not provided', 'null', 'sin datos', '-', ''],
		...['0000000000', 'не указано'],
	];
	const forms: Form[] = [
		(value) => value,
		(value) => value.toUpperCase(),
		(value) => `[${value}]`,
		(value) => `() ${value}.`,
		(value) => `(${value})`,
		(value) => `${value} ${value}`,
	];
	const identifying = Object.keys(kinds).filter((kind) => kind !== 'name');
	fc.assert(
		fc.property(
			fc.constantFrom(...identifying),
			fc.constantFrom(...words),
			fc.nat(99),
			spelled,
			(kind, word, form, { blank, quote, around }) => {
				const words = kinds[kind].around.concat(blanks[0]);
				const outside = quote === undefined ? pick(words, around) : pick(quotes, quote);
				const cell = pick(blanks, blank)(outside(pick(forms, form)(word)));
				const reading = kinds[kind].read(cell);
				expect({
					cell,
					identity: reading && 'identity' in reading ? reading.identity : undefined,
				}).toEqual({ cell, identity: undefined });
			},
		),
		settings,
	);
});
