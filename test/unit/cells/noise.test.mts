import fc from 'fast-check';
import { readDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import type { Reader } from '../../../nodes/cells/reading.ts';
import { generated } from '../../generated.mts';
import { type Kind, kinds, type Noise, noises } from './noise.mts';
import { listValues, table } from './table.mts';

const readers: Record<Kind, Reader> = {
	email: readEmail,
	phone: readPhone,
	national: readPhone,
	profile: readLinkedIn,
	domain: readDomain,
	name: readName,
};

/** Values that look like something else, or like nothing. */
const odd = Object.fromEntries(
	table(`
	email ¦ na.li@x.example ¦ o'brien@x.example ¦ no.reply@x.example ¦ test.valley@x.example ¦ a@x.example ¦ 1@x.example
		¦ ada+news@x.example ¦ ada_berg@x.example ¦ _ada@x.example ¦ null@x.example ¦ none@x.example ¦ noemi@x.example
		¦ nomi@x.example ¦ keinert@x.example ¦ sinem@x.example ¦ pasquale@x.example ¦ never.ada@x.example ¦ jörg@bücher.example
		¦ ada@none.example ¦ x@y.co ¦ ada@1und1.example ¦ ada@a-b.c-d.example ¦ nan@x.example ¦ test@x.example ¦ info@x.example
		¦ иван@почта.example ¦ 田中@x.example ¦ ada-@x.example ¦ ${'ada.'.repeat(15)}berg@${'long-name.'.repeat(12)}example
	phone ¦ +49 30 1234567 ¦ +1 650 253 0000 ¦ +33 6 12 34 56 78 ¦ +81 90-1234-5678 ¦ +44 20 7946 0958
	national ¦ 12345 ¦ 0451-20490 ¦ (02) 9999 9999 ¦ 06 39 98 91 37 ¦ 030/1234567 ¦ 112 233 ¦ 602 555 938
	profile ¦ linkedin.com/in/none-berg ¦ linkedin.com/in/na-li ¦ linkedin.com/in/test-valley ¦ linkedin.com/in/ada_berg
		¦ linkedin.com/in/jennifer-null ¦ linkedin.com/in/a ¦ linkedin.com/in/andré-müller ¦ linkedin.com/in/ada.berg
		¦ linkedin.com/in/田中 ¦ linkedin.com/in/no-name-design ¦ linkedin.com/in/иван-берг ¦ linkedin.com/in/x ¦ linkedin.com/in/me-2
		¦ linkedin.com/in/ada-berg-12345
	domain ¦ none.example ¦ null.example ¦ test-valley.example ¦ x.co ¦ 1und1.example ¦ bücher.example ¦ na.example
		¦ no-name.example ¦ www.example ¦ a.b.c.d.example ¦ email.example ¦ com.example
	name ¦ Jennifer Null ¦ Tom & Jerry <tj> ¦ Kein ¦ Null ¦ True ¦ Nan ¦ No ¦ Sample ¦ Test Kumar ¦ Acme [Berlin]
		¦ Acme (UK) Ltd. ¦ Berg #1 & Co ¦ Kein Ngo ¦ Ada Sample ¦ 50%50 ¦ AT&T ¦ Sem de Vries ¦ Nie Ma ¦ Don Contact ¦ R&D ¦ <3
		¦ Ole Navn ¦ D'Angelo ¦ O’Neil ¦ 't Hooft ¦ José María ¦ 田中 ¦ X ¦ Æ ¦ Test Valley ¦ No Name Design ¦ Ada Berg (privat)
		¦ Smith & Sons ¦ A < B ¦ Null & Void ¦ None Berg ¦ Max Mustermann ¦ Ng ¦ Li ¦ Na ¦ Mark Down ¦ 3M ¦ 7-Eleven ¦ 1&1
		¦ Yahoo! ¦ Who? ¦ C++ ¦ C# ¦ #1 Cochran ¦ E.ON ¦ P!nk ¦ Ke$ha ¦ 50% off ¦ 100% Design ¦ A=B ¦ Müller-Lüdenscheidt
		¦ Ngũgĩ wa Thiong’o ¦ Иван Берг ¦ عائشة ¦ נועה ¦ "Weird Al" Yankovic ¦ Dwayne "The Rock" Johnson
		¦ Ada, Countess of Lovelace ¦ Berg, Ada ¦ Zoë ¦ J. R. ¦ Test Kitchen ¦ Ada Test ¦ Email Marketing Pros ¦ Phone House
		¦ Empty Quarter ¦ Anna Nan ¦ Sin Sun ¦ 😀 ¦ Procter & Gamble ¦ Ohne Frank ¦ Pas de Calais ¦ No Doubt ¦ Ding & Dong
		¦ Ötzi
`),
) as Record<Kind, string[]>;

const firstNames = listValues(
	'Ada ¦ Zoë ¦ Jürgen ¦ Nathalie ¦ Łukasz ¦ Иван ¦ Søren ¦ María José ¦ 伟 ¦ Ng',
);
const lastNames = listValues(
	"Berg ¦ O’Neil ¦ D'Angelo ¦ Müller-Lüdenscheidt ¦ de Vries ¦ Null ¦ Kowalczyk ¦ Берг ¦ Ünal ¦ 王",
);

/** Numbers that no one else has. */
const lineOf = (person: number) => String(2_345_600 + person);

const at = <T,>(list: T[], number: number): T => list[number % list.length];

/** A plain value of each kind for each number. */
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
const valuesOf = (kind: Kind, person: number): string =>
	person % 3 === 0 ? at(odd[kind], person / 3) : make[kind](person);

const noisy = fc.record({
	kind: fc.constantFrom(...kinds),
	person: fc.nat(2_999),
	around: fc.array(fc.tuple(fc.nat(99), fc.nat(99)), { minLength: 1, maxLength: 3 }),
});

function put(value: string, kind: Kind, around: Array<[number, number]>): string {
	const chosen = new Map(around.map(([sort, form]) => [at(noisesOf(kind), sort), form] as const));
	const sorts = [...chosen].map(([noise, form]) => ({ ...noise, form }));
	const typed = sorts.filter(({ isTyped }) => isTyped);
	const added = sorts.filter(({ isTyped }) => !isTyped);
	return [...typed, ...added].reduce((cell, { forms, form }) => at(forms, form)(cell), value);
}

const settings = generated(5_000);

const reads = (kind: Kind, cell: string) => ({ cell, reading: readers[kind](cell) });

test('there are enough sorts of noise', () => {
	expect(new Set(noises.map(({ sort }) => sort)).size).toBeGreaterThan(50);
});

/** Whose value is not sent as it is typed. */
const formatted: Kind[] = ['email', 'phone', 'profile', 'domain'];

test.each(kinds)('an odd %s stays as it is', (kind) => {
	for (const value of odd[kind]) {
		const kept = formatted.includes(kind) ? (expect.any(String) as string) : value;
		expect(reads(kind, value)).toEqual({
			cell: value,
			reading: { value: kept, identity: expect.any(String) as string },
		});
	}
	const identities = odd[kind].map((value) => JSON.stringify(readers[kind](value)));
	expect(new Set(identities).size).toBe(odd[kind].length);
});

const single = kinds.flatMap((kind) =>
	noisesOf(kind).map(({ sort, forms }) => [kind, sort, forms] as const),
);

test.each(single)('a %s is read through %s', (kind, _, forms) => {
	for (const form of forms)
		for (let person = 0; person < 40; person++) {
			const value = make[kind](person * 7);
			const cell = form(value);
			expect(reads(kind, cell)).toEqual({ cell, reading: readers[kind](value) });
		}
});

test('noise of all sorts gives the same value or a problem, never another', () => {
	let count = 0;
	let read = 0;
	fc.assert(
		fc.property(noisy, ({ kind, person, around }) => {
			const value = valuesOf(kind, person);
			const one = reads(kind, put(value, kind, around));
			const isRead = one.reading !== undefined && 'value' in one.reading;
			const problem = expect.stringMatching(/ is a placeholder$|, but |^has |^mixes /) as string;
			expect({ value, ...one }).toMatchObject({
				reading: isRead ? readers[kind](value) : { problem },
			});
			count++;
			if (isRead) read++;
		}),
		settings,
	);
	// Otherwise, everything could be a problem.
	expect(read / count).toBeGreaterThan(0.97);
});

const sayNothing = listValues(`
	n/a ¦ none ¦ null ¦ undefined ¦ Not provided ¦ k. A. ¦ keine Angabe ¦ kein Telefon ¦ sin datos ¦ non renseigné
	¦ não informado ¦ brak danych ¦ не указано ¦ 未提供 ¦ 없음 ¦ #ERROR! ¦ #WERT! ¦ #N/D ¦ asdf ¦ Test Lead ¦ First Name Last Name
	¦ [your-email] ¦ *|EMAIL|* ¦ %PHONE% ¦ {{ $json.email }} ¦ Kein ¦ keine ¦ No phone ¦ [Unknown] ¦ TBD ¦ null null ¦ Kein Name
	¦ %%name%% ¦ ##NAME## ¦ @{triggerBody()?['name']} ¦ #NV ¦ #¡REF! ¦ #GETTING_DATA ¦ Loading... ¦ xxx ¦ (not set)
	¦ {!Contact.Name} ¦ <<name>> ¦ \${phone} ¦ - ¦ . ¦ 0000000000
`);

test('what says nothing is nobody, whatever stands around it', () => {
	const words = fc.constantFrom(...sayNothing);
	const person = fc.constantFrom(...kinds.filter((kind) => kind !== 'name'));
	fc.assert(
		fc.property(person, words, noisy, (kind, word, { around }) => {
			const cell = put(word, kind, around);
			expect({ cell, ...readers[kind](cell) }).not.toHaveProperty('identity');
		}),
		settings,
	);
});
