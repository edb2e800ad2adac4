import fc from 'fast-check';
import { isValue } from '../../../nodes/cells/reading.ts';
import { generated } from '../../generated.mts';
import { type Kind, kinds, type Noise, noises } from './noise.mts';
import { listValues, readers as all } from './readers.mts';

/** A phone may lack its country. */
const readers = { ...all, national: all.phone };

const [firstNames, lastNames] = [
	'Ada ¦ Zoë ¦ Jürgen ¦ Nathalie ¦ Łukasz ¦ Иван ¦ Søren ¦ María José ¦ 伟 ¦ Ng',
	"Berg ¦ O’Neil ¦ D'Angelo ¦ Müller-Lüdenscheidt ¦ de Vries ¦ Null ¦ Kowalczyk ¦ Берг ¦ Ünal ¦ 王",
].map(listValues);

const at = <T,>(list: T[], number: number): T => list[number % list.length];

/** Numbers that no one else has. */
const lineOf = (person: number) => String(2_345_600 + person);

/** A plain value of each kind for each number, as of as many people. */
const make: Record<Kind, (person: number) => string> = {
	email: (person) =>
		`${at(['ada.', 'jörg', "o'brien", 'x+', 'LI_'], person)}${person}@${at(['a', 'bücher'], person)}.example`,
	phone: (person) => at(['+49 30 ', '+1 650 ', '+39 06 4', '+48 60 '], person) + lineOf(person),
	national: (person) => at(['030 ', '0451-', '(089) ', '02/'], person) + lineOf(person),
	profile: (person) =>
		`https://www.linkedin.com/in/${at(['ada-berg', 'andré', 'na-li', 'müller-lüdenscheidt'], person)}-${person}`,
	domain: (person) => `${at(['berg-', 'bücher-', 'www.none-', 'a.b'], person)}${person}.example`,
	name: (person) => `${at(firstNames, person)} ${at(lastNames, Math.floor(person / 10))}`,
};

const noisesOf = (kind: Kind): Noise[] => noises.filter((noise) => noise.kinds.includes(kind));

/** What a cell comes to: the person, nobody, or for a name what somebody typed. Never another person. */
function judge(kind: Kind, cell: string, person: number): 'read' | 'lost' | 'another' {
	const [reading, plain] = [cell, make[kind](person)].map((text) => readers[kind](text));
	if (!isValue(reading)) return 'lost';
	if (isValue(plain) && reading.identity === plain.identity) return 'read';
	return kind === 'name' && hasAllLetters(cell, reading.value) ? 'lost' : 'another';
}

/** A name is never cut: what is sent is the cell, but for what nobody sees and what a program has misread. */
function hasAllLetters(cell: string, name: string): boolean {
	const lettersOf = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');
	return /[ÂÃÄÅÌÍâ<&]|_[xX]00/.test(cell) || lettersOf(cell) === lettersOf(name);
}

const single = kinds.flatMap((kind) =>
	noisesOf(kind).map((noise) => [kind, noise.sort, noise] as const),
);

test.each(single)('a %s is itself through %s', (kind, _, { forms, lost }) => {
	const allowed = lost.includes(kind) ? ['read', 'lost'] : ['read'];
	const people = Array.from({ length: 40 }, (_, number) => number * 7);
	const cells = forms.flatMap((form) =>
		people.map((person) => {
			const cell = form(make[kind](person));
			return [cell, judge(kind, cell, person)];
		}),
	);
	expect(cells.filter(([, result]) => !allowed.includes(result))).toEqual([]);
});

const noisy = fc.record({
	kind: fc.constantFrom(...kinds),
	person: fc.nat(2_999),
	around: fc.array(fc.tuple(fc.nat(99), fc.nat(99)), { minLength: 1, maxLength: 2 }),
});

function put(value: string, some: Noise[], around: Array<[number, number]>): string {
	const chosen = around.map(([sort, form]) => ({ ...at(some, sort), form }));
	// A text that a program has misread is beyond repair where another one has changed it, too.
	const misread = chosen.filter(({ sort }) => sort.includes('encoding')).slice(0, 1);
	return (misread.length > 0 ? misread : chosen)
		.sort((one, other) => Number(other.isTyped) - Number(one.isTyped))
		.reduce((cell, { forms, form }) => at(forms, form)(cell), value);
}

const settings = generated(5_000);

test('noise of several sorts never makes another person', () => {
	const results = { read: 0, lost: 0, another: 0 };
	fc.assert(
		fc.property(noisy, ({ kind, person, around }) => {
			const cell = put(make[kind](person), noisesOf(kind), around);
			const result = judge(kind, cell, person);
			results[result]++;
			expect({ cell, result }).not.toEqual({ cell, result: 'another' });
		}),
		settings,
	);
	// Otherwise, everything could be lost.
	expect(results.read / (results.read + results.lost)).toBeGreaterThan(0.75);
});

test('two values in one cell are nobody', () => {
	const separator = fc.constantFrom('; ', ', ', ' ::: ', '|', '\n', ' / ', ' or ', ' und ', ' & ');
	const other = fc.nat(2_999);
	fc.assert(
		fc.property(noisy, other, separator, ({ kind, person }, another, between) => {
			fc.pre(kind !== 'name' && person !== another);
			const cell = make[kind](person) + between + make[kind](another);
			expect({ cell, ...readers[kind](cell) }).not.toHaveProperty('identity');
		}),
		settings,
	);
});

test('what is sent is read as it was before', () => {
	fc.assert(
		fc.property(noisy, ({ kind, person, around }) => {
			// A name is tidied, but not to the last layer.
			fc.pre(kind !== 'name');
			const reading = readers[kind](put(make[kind](person), noisesOf(kind), around));
			if (isValue(reading)) expect(readers[kind](reading.value)).toEqual(reading);
		}),
		settings,
	);
});

const sayNothing = listValues(`
	n/a ¦ none ¦ null ¦ undefined ¦ Not provided ¦ k. A. ¦ keine Angabe ¦ kein Telefon ¦ sin datos ¦ non renseigné
	¦ não informado ¦ brak danych ¦ не указано ¦ 未提供 ¦ 없음 ¦ #ERROR! ¦ #WERT! ¦ #N/D ¦ asdf ¦ [your-email] ¦ *|EMAIL|*
	¦ %PHONE% ¦ {{ $json.phone }} ¦ Kein ¦ keine ¦ No phone ¦ [Unknown] ¦ TBD ¦ null null ¦ %%name%% ¦ ##NAME## ¦ #NV ¦ #¡REF!
	¦ #GETTING_DATA ¦ Loading... ¦ xxx ¦ (not set) ¦ {!Contact.Name} ¦ <<name>> ¦ \${phone} ¦ - ¦ .
`);

test('what says nothing is nobody, whatever stands around it', () => {
	const person = fc.constantFrom(...kinds.filter((kind) => kind !== 'name'));
	fc.assert(
		fc.property(person, fc.constantFrom(...sayNothing), noisy, (kind, word, { around }) => {
			const added = noisesOf(kind).filter(({ isTyped }) => !isTyped);
			const cell = put(word, added, around);
			expect({ cell, ...readers[kind](cell) }).not.toHaveProperty('identity');
		}),
		settings,
	);
});
