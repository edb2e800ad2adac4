import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { readCompanyDomain, readDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import { readName } from '../../../nodes/cells/name.ts';
import type { Reader } from '../../../nodes/cells/reading.ts';
import { listIdentityKeys } from '../../../nodes/PageAudience/resources/contactFields.ts';
import { table } from './table.mts';

const readers: Record<string, Reader> = {
	phone: readPhone,
	email: readEmail,
	profile: readLinkedIn,
	domain: readDomain,
	company: readCompanyDomain,
	name: readName,
};

const identityOf = (kind: string, text: string) => {
	const reading = readers[kind](text);
	return reading && 'identity' in reading ? reading.identity : JSON.stringify({ text, reading });
};

/** Spellings of one value, from people, spreadsheets, and the exports of CRMs and forms. */
const same = table(`
	phone ¦ +49301234567 ¦ +49 (0)30 1234567 ¦ +49 030 1234567 ¦ Tel. +49 30/12345-67 ¦ (+49) 30 1234567
		¦ tel:+49301234567 ¦ \u202a+49 30 1234567\u202c ¦ ＋４９（０）３０ １２３４５６７ ¦ +٤٩ ٣٠ ١٢٣٤٥٦٧
		¦ +49 30 1234567 (Büro) ¦ Telefon: +49.30.1234567 ¦ '+49301234567 ¦ ="+49301234567" ¦ 0049 30 1234567
		¦ p:+49301234567 ¦ +49 30 1234567; ¦ +49\ufe0e 30 1234567 ¦ +49–30–1234567 ¦ Mobile +49 [30] 1234567 privat
	phone ¦ 030 1234567 ¦ (030) 123-45-67 ¦ 030/1234567 (Ada) ¦ 030 1234567 mobil ¦ ０３０ １２３４５６７ ¦ Büro: 0301234567
	phone ¦ 070 123 45 67 (Axel) ¦ 0701234567 ¦ 070-123 45 67 home ¦ T: 070/1234567 ¦ 0701234567.0
	phone ¦ +39 06 1234 5678 ¦ +39 (0)6 12345678 ¦ +390612345678
	phone ¦ +34 612 345 678 ¦ +34 (0) 612 345 678 ¦ móvil +34612345678 ¦ 0034 (0) 612 345 678
	phone ¦ +1 650 253 0000 x136 ¦ +16502530000;ext=136 ¦ +1 (650) 253-0000 ext. 136 ¦ +1-650-253-0000 #136
	phone ¦ 030 1234567 DW 12 ¦ 030/1234567 (DW: 12) ¦ 0301234567 Durchwahl 12 ¦ 030 1234567 ext 12 (work)
	phone ¦ +52 1 55 1234 5678 ¦ +5215512345678 ¦ +52 55 1234 5678
	phone ¦ +33 (0)1 23 45 67 89 ¦ +33123456789 ¦ T +33 1 23 45 67 89
	phone ¦ 1234567891.0 ¦ 1234567891 ¦ (123) 456-7891
	phone ¦ 06221 / 123456 ¦ 06221-123456 ¦ 06221123456
	phone ¦ 02/633 12 34 ¦ 02 633 1234
	phone ¦ 205246;;,; ¦ 205246 ¦ 205 246
	email ¦ ada@a.example ¦ ADA@A.example ¦ mailto:ada@a.example?subject=Hi ¦ Ada Berg <Ada@a.example> ¦ <ada@a.example>
		¦ ada@a.example <ada@a.example> ¦ \u200bada@a.exam\u200bple\ufeff ¦ "ada@a.example" ¦ ada@a.example; ¦ 'ada@a.example
	email ¦ иван@почта.example ¦ Иван@xn--80a1acny.example
	email ¦ ju\u0308rgen@a.example ¦ Jürgen@a.example.
	profile ¦ https://www.linkedin.com/in/ada-berg ¦ linkedin.com/in/ada-berg ¦ http://de.linkedin.com/in/Ada-Berg/?trk=1#about
		¦ https://www.linkedin.com/in/ada-berg/de ¦ linkedin.com/comm/in/ada-berg?trk=x ¦ linkedin.com/mwlite/in/ada-berg
		¦ linkedin.com/mwlite/profile/in/ada-berg ¦ https://m.linkedin.com/m/in/ada-berg/ ¦ linkedin.com//in//ada-berg//
		¦ https://www.linkedin.com/in/ada-berg/overlay/contact-info/ ¦ linkedin.com/in/ada-berg/recent-activity/all/
		¦ linkedin.com/in/ada-berg/details/experience/ ¦ linkedin.com/in/%41da%2Dberg ¦ <https://linkedin.com/in/ada-berg>
		¦ https%3A%2F%2Fwww.linkedin.com%2Fin%2Fada-berg ¦ "linkedin.com/in/ada-berg", ¦ LinkedIn.com/in/ada-berg/en-us?locale=x
	profile ¦ linkedin.com/in/andr%C3%A9-m%C3%BCller ¦ https://de.linkedin.com/in/André-Müller/ ¦ linkedin.com/in/andre\u0301-müller
	profile ¦ https://www.linkedin.com/sales/lead/ACwAAAbC1,NAME_SEARCH,ab12 ¦ linkedin.com/sales/lead/ACwAAAbC1,NAME,zz99?_ntb=x
		¦ linkedin.com/sales/people/ACwAAAbC1,name ¦ https://www.linkedin.com/in/ACwAAAbC1
	profile ¦ https://sy.linkedin.com/pub/ada-berg/a7/576/b50?trk=x ¦ linkedin.com/pub/Ada-Berg/a7/576/B50/
	profile ¦ https://www.linkedin.com/talent/profile/AEMA1 ¦ linkedin.com/talent/profile/AEMA1?trk=x
	domain ¦ xn--bcher-kva.de ¦ https://www.Bücher.de/ ¦ bu\u0308cher.de ¦ info@bücher.de ¦ "bücher.de"
	domain ¦ a.example ¦ https:/a.example ¦ <https://www.a.example./> ¦ //a.example:8080?x ¦ WWW.a.example... ¦ mailto:x@a.example
		¦ www。a。example。 ¦ ｗｗｗ.a.example ¦ \u200ba.\u00adexample\u200f ¦ Acme <info@a.example> ¦ a.example//x:/y
	company ¦ acme.example ¦ https://www.acme.example/about ¦ ada@acme.example
	name ¦ Ada Berg ¦ Ada  Berg ¦ Ada\u00a0Berg\u200b ¦ Ada⏎Berg
	name ¦ Zoe\u0308 ¦ Zoë
`);

test.each(same)('one %s has the spellings %j', (kind, [first, ...others]) => {
	for (const other of others)
		expect([other, identityOf(kind, other)]).toEqual([other, identityOf(kind, first)]);
	expect(readers[kind](first)).toHaveProperty('identity');
});

/** Values of as many people. */
const different = table(`
	phone ¦ 030 1234567 ¦ +49 30 1234567 ¦ 4930 1234567 ¦ +49 30 1234568 ¦ 030 1234567 ext. 1 ¦ 030 1234567 x2
	phone ¦ (0) 612 345 678 ¦ 612 345 678 ¦ +34 612 345 678
	email ¦ ann+1@a.example ¦ ann@a.example ¦ ann@b.a.example ¦ straße@a.example ¦ strasse@a.example
	profile ¦ linkedin.com/in/ada ¦ linkedin.com/in/ada-1 ¦ linkedin.com/pub/ada ¦ linkedin.com/pub/ada/1/2/3
	profile ¦ linkedin.com/sales/lead/ACwAAAb,x,y ¦ linkedin.com/sales/lead/ACwAAAB,x,y ¦ linkedin.com/in/acwaaab
	profile ¦ linkedin.com/in/www.ann ¦ linkedin.com/in/ann ¦ linkedin.com/recruiter/profile/ann
	domain ¦ a.example ¦ a.www.b.example ¦ b.example ¦ a-b.example
	name ¦ Ada Berg ¦ AdaBerg ¦ ada berg ¦ Ada Bergo
`);

test.each(different)('no %s is another: %j', (kind, values) => {
	const readings = values.map((value) => readers[kind](value));
	expect(
		new Set(readings.map((reading) => reading && 'identity' in reading && reading.identity)).size,
	).toBe(values.length);
	expect(readings).not.toContainEqual(
		expect.objectContaining({ problem: expect.anything() as string }),
	);
});

/** What stands for no value, of any kind. */
const placeholders = table(`
	all ¦ n/a ¦ N/A ¦ - ¦ -- ¦ . ¦ ? ¦ ... ¦ () ¦ _ ¦ @ ¦ -@- ¦ n/a@ ¦ n/a@n/a ¦ "n/a" ¦ n/a; ¦ none ¦ None ¦ null ¦ NULL ¦ undefined
		¦ undefined undefined ¦ null null ¦ string ¦ [object Object] ¦ false ¦ NaN ¦ \\N ¦ xxxxx ¦ #N/A ¦ #REF! ¦ #VALUE! ¦ TBD ¦ unknown ¦ [Unknown]
		¦ [[Unknown]] ¦ () Not provided. ¦ [not provided] ¦ No phone ¦ no email
		¦ k.A. ¦ k. A. ¦ keine ¦ Keine Angabe ¦ nicht verfügbar ¦ unbekannt ¦ sin datos ¦ No disponible ¦ Ninguno
		¦ non renseigné ¦ Non communiqué ¦ inconnu ¦ néant ¦ sconosciuto ¦ não informado ¦ onbekend ¦ n.v.t. ¦ brak danych
		¦ saknas ¦ не указан ¦ 없음 ¦ غير معروف ¦ 不明 ¦ 未提供 ¦ なし
		¦ <test lead: dummy data for phone_number> ¦ {{ $json.phone }} ¦ \${phone} ¦ %PHONE%
`)[0][1];

test.each(placeholders)('%j identifies no one, and is no domain', (given) => {
	for (const kind of ['phone', 'email', 'profile', 'domain'])
		expect({ kind, ...readers[kind](` ${given}\u200b`) }).toMatchObject({
			kind,
			problem: expect.stringContaining('is a placeholder') as string,
			isPlaceholder: true,
		});
	const person = { email: given, phoneNumber: given, linkedinProfileUrl: given };
	expect(listIdentityKeys(person)).toEqual([]);
});

/** Placeholders of one kind of value. */
const ofOneKind = table(`
	phone ¦ 0 ¦ 0000 ¦ (000) 000-00-00 ¦ 000-000-0000 ¦ 1111111111 ¦ +1 555 555 5555 ¦ +7() ¦ +43 ¦ + ¦ +0000000000
		¦ 1234567890 ¦ 0123456789 ¦ 123-456-789
	email ¦ none@none.com ¦ na@na.com ¦ noemail@noemail.com ¦ unknown@unknown.example
	profile ¦ linkedin.com/in/undefined ¦ https://www.linkedin.com/in/null/ ¦ linkedin.com/in/-
	name ¦ Ada undefined ¦ Undefined Berg ¦ undefined undefined ¦ null null ¦ string ¦ null ¦ Unknown ¦ n/a ¦ <test lead: dummy data for full_name>
`);

test.each(ofOneKind)('of a %s, placeholders are %j', (kind, values) => {
	for (const value of values)
		expect({ value, ...readers[kind](value) }).toMatchObject({ value, isPlaceholder: true });
});

/** The kind, a part of what is said, and values. */
const refused = table(`
	phone ¦ which a spreadsheet has rounded ¦ 4.93012E+11 ¦ 4,93E+11 ¦ 4.93012e+11 ¦ 4.47900E+11 ¦ 3.108207129E9
	phone ¦ must be one phone number, but has several ¦ +49 30 1234567 ::: +49 170 7654321 ¦ 030 1234567 / 0170 7654321
		¦ +1 415 555 0100, +1 415 555 0101 ¦ 030 1234567; 0170 7654321 ¦ 030 1234567|0170 7654321 ¦ 030 1234567⏎0170 7654321
		¦ 030 1234567 oder 0170 7654321 ¦ 030 1234567 or 0170 7654321 ¦ 030 1234567 und 0170 7654321 ¦ 415-555-0100/0101
		¦ +49 30 1234567 +49 170 7654321 ¦ +49 30 1234567 / +49 170 7654321 ¦ Tel. 030 1234567, Fax 030 1234568 ¦ Tel: 030 123456 Handy: 0171 1234567
		¦ +16888888888,,9988776#,,654321# ¦ 030) 1234567 ¦ 415-555-0100 - 415-555-0101
	phone ¦ must have at least 5 digits ¦ call reception ¦ 1234 ¦ +49 (0) 3 ¦ Tel. ext. 12 ¦ ada@a.example
	phone ¦ must be a phone number without other text ¦ 1-800-FLOWERS ¦ 1-800-123-ABCD ¦ 1-800-555-HOME ¦ 1 800 555 WORK ¦ 1-800-555-fax
		¦ 1 800 123 EFGH ¦ abc12345 ¦ SKU_7654329 ¦ call after 18:00 - 19:00
	phone ¦ must have as many digits as a phone number of its country ¦ +49 30 1 ¦ +1 415 555 010 ¦ +999 12345678
		¦ 030 1234567 0170 7654321
	email ¦ must be one email address, but has several ¦ ada@a.example, bob@b.example ¦ ada@a.example;bob@b.example
		¦ ada@a.example bob@b.example ¦ ada@a.example / bob@b.example ¦ Ada <ada@a.example>, Bob <bob@b.example>
		¦ ada@a.example <bob@b.example> ¦ ada@a.example ::: bob@b.example
	email ¦ must be an email address ¦ ann ¦ ann@ ¦ @a.example ¦ -@a.example ¦ ann@- ¦ ann@home ¦ a@b@c.example ¦ 030 1234567
		 ¦ ann @a.example ¦ "@a.example
	profile ¦ must be the URL of a LinkedIn profile such as ¦ linkedin.com ¦ linkedin.com/in/ ¦ ann ¦ in/ada ¦ https://lnkd.in/abc
		¦ https://www.linkedin.com/company/acme ¦ linkedin.com/feed/ ¦ linkedin.com/school/mit ¦ linkedin.com/profile/view?id=1
		¦ not on LinkedIn ¦ https://a.example/in/ada ¦ notlinkedin.com/in/ada ¦ a.example/linkedin.com/in/ada
		¦ linkedin.com/in/ada berg ¦ linkedin.com/in/[handle]
		¦ https://www.linkedin.com/authwall?sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fada
	profile ¦ must be one URL of a LinkedIn profile, but has several ¦ linkedin.com/in/ada linkedin.com/in/bob
		¦ linkedin.com/in/ada;linkedin.com/in/bob
	domain ¦ must be a domain ¦ localhost ¦ https: ¦ https:// ¦ müller & co ¦ Acme Inc. ¦ a..example ¦ 12.5 ¦ [::1]
		¦ https://k.A./ ¦ 127.0.0.1 ¦ a.┬íexample
		¦ ${'a'.repeat(64)}.example ¦ ${'é'.repeat(63)}.example ¦ ${'a.'.repeat(124)}example
	domain ¦ must be one domain, but has several ¦ ada@a.example, bob@b.example ¦ a.example, b.example ¦ https://a.example www.b.example
	company ¦ where everyone can have a mailbox ¦ ada@gmail.com ¦ https://www.GMX.de/ ¦ outlook.com ¦ qq.com
`);

test.each(refused)('a %s is refused: %j', (kind, [problem, ...values]) => {
	for (const value of values)
		expect({ value, ...readers[kind](value) }).toEqual(
			expect.objectContaining({ value, problem: expect.stringContaining(problem) as string }),
		);
});

test('a number of each country is read in each of its international forms', () => {
	const countries = getCountries();
	expect(countries.length).toBeGreaterThan(200);
	for (const country of countries) {
		const number = getExampleNumber(country, examples);
		const forms = number && [
			number.formatInternational(),
			number.getURI(),
			number.number.replace('+', '00'),
		];
		for (const form of forms ?? [])
			expect([form, identityOf('phone', form)]).toEqual([form, number?.number]);
	}
});

test('no value is endless', () => {
	for (const kind of ['phone', 'email', 'profile', 'domain'])
		expect(readers[kind]('1'.repeat(10_001))).toEqual({
			problem: 'has 10001 characters, which is too long',
		});
	expect(readPhone('12'.repeat(101))).toEqual({
		problem: expect.stringContaining('must be a phone number') as string,
	});
	expect(readName('😀'.repeat(255))).toHaveProperty('identity');
	expect(readName('😀'.repeat(256))).toEqual({
		problem: 'must have 1 to 255 characters, but has 256',
	});
});

test.each(Object.keys(readers))('a blank %s is none', (kind) => {
	for (const blank of ['', ' ', '\n\u00a0', '\u200b\ufeff'])
		expect(readers[kind](blank)).toBeUndefined();
});

/** What is sent has one form for all spellings. */
test.each([
	['phone', ' Tel. +49 (0)30 1234567\u200b', '+49301234567'],
	['phone', 'Büro: (030)  1234567 DW 12', '(030) 1234567;ext=12'],
	['phone', '1234567891.0', '1234567891'],
	['email', 'Ada <Ada@A.example>', 'ada@a.example'],
	['email', "'o'brien@a.example'", "o'brien@a.example"],
	['email', "o'brien@a.example ; ,", "o'brien@a.example"],
	['profile', '<https://de.linkedin.com/in/Ada?trk=1>', 'https://www.linkedin.com/in/ada'],
	['domain', 'https://www.Bücher.de/x', 'xn--bcher-kva.de'],
	['name', ' Ada  Berg ', 'Ada Berg'],
	['name', 'Na', 'Na'],
	['name', '😀', '😀'],
])('of the %s %j, %j is sent', (kind, given, value) => {
	expect(readers[kind](given)).toMatchObject({ value });
});

test('the first of several values is told by what stands behind it', () => {
	expect(readPhone('030 1234567 ::: 0170 7654321')).toEqual({
		problem: 'must be one phone number, but has several: "030 1234567 ::: 0170 7654321"',
		remedy: '. Take the first one with .split(":::")[0]',
	});
	expect(readEmail('Ada <ada@a.example>; Bob <bob@b.example>')).toEqual({
		problem: expect.any(String) as string,
		remedy: '. Take the first one with .split(";")[0]',
	});
});
