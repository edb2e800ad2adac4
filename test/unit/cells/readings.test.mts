import { readCompanyDomain, readDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import { isValue, type Reader, type Reading } from '../../../nodes/cells/reading.ts';
import { table } from './table.mts';

/*
 * Cells of people's forms, CRMs and spreadsheets, as public reports have them, with what is right. What is honest and needs no
 * reading is in test/truth, and what programs put around a value in noise.mts.
 */

const readers: Record<string, Reader> = {
	phone: readPhone,
	email: readEmail,
	profile: readLinkedIn,
	domain: readDomain,
	company: readCompanyDomain,
	name: readName,
};

const describe = (reading: Reading): string =>
	isValue(reading) ? reading.value : (reading?.refusal ?? 'blank');

/** What comes of each cell: the value that is sent, or why nothing is. */
const rows = table(`
	phone ¦ unreadable ¦ 12 ¦ 123 ¦ 1234 ¦ 4711 ¦ 0170 ¦ 1-800-FLOWERS ¦ +1 (555) 123 ¦ ask reception ¦ yes ¦ @ada ¦ ada@x.example
		¦ skype: ada.berg ¦ +33 6 12 34 ¦ abc123 ¦ 4.93012E+11 ¦ NIF B-58001171 ¦ NIP: 525-000-01-71 ¦ +34 6OO 555 173 ¦ O171 2345678
		¦ https://www.facebook.com/100012345678 ¦ 12.05.2026 14:30 ¦ 12.05.2026 ¦ 5/12/2026 ¦ 4915112345678@s.whatsapp.net ¦ 0151/234 567 89 ab 18 Uhr
		¦ jobb 08-465 004 36 ¦ tel. kom. 602 555 938 ¦ 直通 03-5550-0986 ¦ 090ー1234ー5678 ¦ [+49 30 1234567](tel:+49301234567)
		¦ +55 (0xx11) 95555-0175 ¦ (555) 555-0100,,,001#
	phone ¦ several ¦ 555-0100 / 555-0101
	phone ¦ absent ¦ asdf ¦ call me ¦ #ERROR! ¦ () Not provided. ¦ kein Telefon ¦ +49
	phone ¦ +4915112345678 ¦ https://wa.me/4915112345678
	phone ¦ +12125550100 ¦ 001-212-555-0100 ¦ 00 1 212 555 0100
	phone ¦ (02) 9999 9999 ¦ (02) 9999 9999 ask for Jo
	phone ¦ +493023125125 ¦ p:+493023125125
	phone ¦ 06 39 98 91 37 ¦ Portable : 06 39 98 91 37 ¦ 06 39 98 91 37 (maison)
	phone ¦ 03-5550-0986 ¦ ０３－５５５０－０９８６
	phone ¦ 0176 04069939 ¦ 0176 04069939 (nur abends)
	phone ¦ 090-1234-5678 ¦ ０９０－１２３４－５６７８ ¦ ०९०-१२३४-५६७८
	phone ¦ +819012345678 ¦ +81 90−1234−5678 ¦ +٨١ ٩٠ ١٢٣٤ ٥٦٧٨
	phone ¦ +49301234567 ¦ Phone: +49 30 1234567 ¦ whatsapp:+49 30 1234567 ¦ tel:+49-30-1234567 ¦ ; +49 30 1234567
		¦ +49&nbsp;30&nbsp;1234567 ¦ <a href="tel:+49301234567">+49 30 1234567</a> ¦ +49 30 1234567 / -
		¦ <a href="tel:+49301234567">Call us</a> ¦ +49 30 1234567, +49 30 1234567
	email ¦ absent ¦ noemail@alpha.example ¦ notprovided@alpha.example ¦ no@email.com ¦ nomail@nomail.de ¦ naotem@naotem.com
		¦ notiene@alpha.example ¦ sinemail@alpha.example ¦ deleted@deleted.com ¦ test@meta.com ¦ test@test.com ¦ xx@xx.xx
		¦ asdf@asdf.com ¦ aaa@aaa.com ¦ brak@brak.pl ¦ test@fb.com ¦ none@gmail.com
	email ¦ ali@alpha.example ¦ ALİ@alpha.example ¦ ALI\u0307@alpha.example
	email ¦ ali@izmir.example ¦ ali@İZMİR.example
	email ¦ lostLetter ¦ m\ufffdller@alpha.example
	email ¦ unreadable ¦ m?ller@alpha.example ¦ just a word ¦ logo@2x.png ¦ shape@3x.jpg ¦ ada [at] x [dot] example
		¦ rosa@x.example&amp;ru=http%3a%2f%2fp.example%2f
	email ¦ several ¦ alt: y.lang@a.example / neu: yvette@a.example
	email ¦ ada@x.example ¦ ADİLE <ADA@x.example> ¦ Ada <ada@x.example> ¦ ada@x．example ¦ ada@x.example (privat)
		¦ Ada Berg (ada@x.example) ¦ ada@x.example. ¦ <a href="mailto:ada@x.example">Ada</a> ¦ ada@x.example; ADA@x.example
		¦ ada@x.example)
	email ¦ jörg@x.example ¦ JÃ–RG@X.EXAMPLE ¦ jÃ¶rg@x.example
	email ¦ na.li@x.example ¦ na.li@x.example ¦ <b>["\\tna.li@x.example\\t"]</b>
	email ¦ o'brien@x.example ¦ o\\'brien@x.example ¦ o'brien@x.example ¦ 'o'brien@x.example'
	profile ¦ absent ¦ https://www.linkedin.com/in/N/A ¦ linkedin.com/in/undefined ¦ https://www.linkedin.com/in/me
		¦ https://www.linkedin.com/in/in/ada-berg
	profile ¦ https://www.linkedin.com/in/ali ¦ linkedin.com/in/ALİ
	profile ¦ unreadable ¦ linkedin ¦ @adaberg ¦ in/ada-berg ¦ https://lnkd.in/abc ¦ https://www.facebook.com/ada
		¦ https://www.linkedin.com/feed/ ¦ linkedin.com/in/o'brien ¦ https://www.linkedin.com/pub/dir/Orla/Maguire
		¦ https://www.linkedin.com/in/https://www.linkedin.com/in/ada-berg
	profile ¦ lostLetter ¦ https://www.linkedin.com/in/m\ufffdller
	profile ¦ https://www.linkedin.com/in/ada-berg ¦ https://www.linkedin.com/in/Ada-Berg) ¦ https://www.linkedin.com/in/Ada-Berg'
		¦ https://www.linkedin.com/in/Ada-Berg|x ¦ https://www.linkedin.com/in/Ada-Berg… ¦ https://www.linkedin.com/in/Ada-Berg!
		¦ https://www.linkedin.com/in/Ada-Berg* ¦ https://www.linkedin.com/in/Ada-Berg&trk=x
		¦ https://www.linkedin.com/in/Ada-Berg&amp;trk=x ¦ https://www.linkedin.com/in/Ada-Berg=
		¦ https://www.linkedin.com/in/Ada-Berg\\ ¦ https://www.linkedin.com/in/Ada-Berg/de?trk=x
		¦ https://www.linkedin.com/in/Ada-Berg (private) ¦ https://www.linkedin.com/in/Ada-Berg%20
		¦ https://www.linkedin.com/in/Ada-Berg. ¦ https://www.linkedin.com/in/ada\u2011berg ¦ https://www.linkedin.com/in/ada–berg
		¦ https://www.linkedin.com/in/ａda-berg ¦ LinkedIn: linkedin.com/in/ada-berg
	profile ¦ https://www.linkedin.com/in/mei-%F0%9F%8C%B8-5a ¦ linkedin.com/in/mei-🌸-5a
		¦ https://www.linkedin.com/in/mei-%f0%9f%8c%b8-5a/
	profile ¦ https://www.linkedin.com/in/ACwAAAbC1 ¦ https://www.linkedin.com/sales/lead/ACwAAAbC1,NAME_SEARCH,ab12
	company ¦ izmir.example ¦ İZMİR.example
	company ¦ gov.uk ¦ https://www.gov.uk/
	company ¦ com.br ¦ https://www.com.br/
	company ¦ ofEveryone ¦ https://www.facebook.com/bergbakery ¦ linktr.ee/berg ¦ sites.google.com/view/berg ¦ gmail.com
		¦ yahoo.co.in ¦ ada@gmx.de
	company ¦ alpha.example ¦ Alpha <info@alpha.example> ¦ https://www.alpha.example/de?x ¦ Website: https://alpha.example
	company ¦ acme.wixsite.com ¦ acme.wixsite.com/home
	name ¦ absent ¦ [your-name] ¦ *|FNAME|* ¦ %FIRSTNAME% ¦ {!Contact.Name} ¦ {Name:1} ¦ ##NAME## ¦ %%name%% ¦ <<name>>
		¦ @{triggerBody()?['name']} ¦ {{ $json.name }} ¦ \${name} ¦ Kein Name ¦ null null ¦ #ERROR! ¦ Loading... ¦ #SPILL! ¦ #CALC!
		¦ #GETTING_DATA ¦ #NV ¦ #WERT! ¦ #BEZUG! ¦ #N/D ¦ #¡REF! ¦ Ada undefined ¦ <test lead: dummy data for full_name>
		¦ No name provided ¦ sin nombre ¦ [MERGE_FIRST_NAME] [MERGE_LAST_NAME]
	name ¦ lostLetter ¦ Ada \ud83d ¦ M\ufffdller
	name ¦ O'Brien ¦ O&#039;Brien ¦ O'Brien
	name ¦ Müller ¦ M&uuml;ller
	name ¦ Ada Berg ¦ Ada&nbsp;Berg ¦ <b>Ada</b> Berg ¦ Ada<br>Berg ¦ Ada\u0000Berg
	name ¦ "Ada Berg" ¦ "Ada Berg" ¦ &quot;Ada Berg&quot;
	name ¦ Smith & Sons ¦ Smith &amp; Sons ¦ Smith &amp;amp; Sons ¦ Smith & Sons
	name ¦ alert(1) ¦ <script>alert(1)</script>
	name ¦ André Lefèvre ¦ AndrÃ© LefÃ¨vre
	name ¦ MÜLLER ¦ MÃœLLER
`);

test.each(rows)('of a %s, the first comes of all others: %j', (kind, [result, ...cells]) => {
	expect(cells.map((cell) => [cell, describe(readers[kind](cell))])).toEqual(
		cells.map((cell) => [cell, result]),
	);
});

const identityOf = (kind: string, text: string) => {
	const reading = readers[kind](text);
	return isValue(reading) ? reading.identity : JSON.stringify({ text, reading });
};

/** Spellings of one value, from people, spreadsheets, and the exports of CRMs and forms. */
const same = table(`
	phone ¦ +49301234567 ¦ +49 (0)30 1234567 ¦ +49 030 1234567 ¦ Tel. +49 30/12345-67 ¦ (+49) 30 1234567
		¦ tel:+49301234567 ¦ \u202a+49 30 1234567\u202c ¦ ＋４９（０）３０ １２３４５６７ ¦ +٤٩ ٣٠ ١٢٣٤٥٦٧
		¦ +49 30 1234567 (Büro) ¦ Telefon: +49.30.1234567 ¦ '+49301234567 ¦ ="+49301234567" ¦ 0049 30 1234567
		¦ p:+49301234567 ¦ +49 30 1234567; ¦ +49\ufe0e 30 1234567 ¦ +49–30–1234567 ¦ Mobile +49 [30] 1234567 privat
	phone ¦ 030 1234567 ¦ (030) 123-45-67 ¦ 030 1234567 mobil ¦ ０３０ １２３４５６７ ¦ Büro: 0301234567
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

/** Why it is refused, and values. */
const refused = table(`
	phone ¦ unreadable ¦ 4.93012E+11 ¦ 4,93E+11 ¦ 4.47900E+11 ¦ 3.108207129E9 ¦ call reception ¦ 1234 ¦ Tel. ext. 12
		¦ 1-800-FLOWERS ¦ 1-800-555-HOME ¦ abc12345 ¦ SKU_7654329 ¦ call after 18:00 - 19:00 ¦ +49 30 1 ¦ +1 415 555 010
		¦ +999 12345678 ¦ 030 1234567 0170 7654321 ¦ +49 30 123456789012345
	phone ¦ several ¦ +49 30 1234567 ::: +49 170 7654321 ¦ 030 1234567 / 0170 7654321 ¦ +1 415 555 0100, +1 415 555 0101
		¦ 030 1234567; 0170 7654321 ¦ 030 1234567|0170 7654321 ¦ 030 1234567⏎0170 7654321 ¦ +49 30 1234567 +49 170 7654321
	phone ¦ absent ¦ (000) 000-00-00 ¦ 000-000-0000 ¦ 1111111111 ¦ +1 555 555 5555 ¦ +43 ¦ 1234567890 ¦ 0123456789
		¦ 123-456-789
	email ¦ several ¦ ada@a.example, bob@b.example ¦ ada@a.example;bob@b.example ¦ ada@a.example bob@b.example
		¦ Ada <ada@a.example>, Bob <bob@b.example> ¦ ada@a.example ::: bob@b.example
	email ¦ unreadable ¦ ann ¦ ann@ ¦ @a.example ¦ ann@- ¦ ann@home ¦ a@b@c.example ¦ 030 1234567 ¦ ann @a.example
	email ¦ absent ¦ none@none.com ¦ na@na.com ¦ noemail@noemail.com ¦ unknown@unknown.example ¦ {{ $json.name }}@a.example
	profile ¦ unreadable ¦ linkedin.com ¦ linkedin.com/in/ ¦ ann ¦ https://www.linkedin.com/company/acme ¦ linkedin.com/school/mit
		¦ https://a.example/in/ada ¦ notlinkedin.com/in/ada ¦ a.example/linkedin.com/in/ada ¦ linkedin.com/in/ada berg
		¦ https://www.linkedin.com/authwall?sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fada
	profile ¦ several ¦ linkedin.com/in/ada linkedin.com/in/bob ¦ linkedin.com/in/ada;linkedin.com/in/bob
	profile ¦ absent ¦ linkedin.com/in/undefined ¦ https://www.linkedin.com/in/null/ ¦ linkedin.com/in/-
	domain ¦ unreadable ¦ localhost ¦ https:// ¦ müller & co ¦ Acme Inc. ¦ a..example ¦ 12.5 ¦ [::1] ¦ 127.0.0.1 ¦ a.┬íexample
		¦ ${'a'.repeat(64)}.example ¦ ${'é'.repeat(63)}.example ¦ ${'a.'.repeat(124)}example
	domain ¦ several ¦ ada@a.example, bob@b.example ¦ a.example, b.example ¦ https://a.example www.b.example
	name ¦ absent ¦ n/a ¦ null ¦ {{ name }} ¦ #REF! ¦ - ¦ undefined undefined
	name ¦ tooLong ¦ ${'😀'.repeat(256)}
	name ¦ unreadable ¦ ["Ada"] ¦ {"name":"Ada"}
`);

test.each(refused)('a %s is refused: %j', (kind, [refusal, ...values]) => {
	expect(values.map((value) => [value, describe(readers[kind](value))])).toEqual(
		values.map((value) => [value, refusal]),
	);
});

test('no value is endless', () => {
	for (const kind of ['phone', 'email', 'profile', 'domain'])
		expect(readers[kind]('1'.repeat(10_001))).toMatchObject({ refusal: 'tooLong' });
	expect(readPhone('12'.repeat(101))).toMatchObject({ refusal: 'unreadable' });
});

test.each(Object.keys(readers))('a blank %s is none', (kind) => {
	for (const blank of ['', ' ', '\n\u00a0', '\u200b\ufeff'])
		expect(readers[kind](blank)).toBeUndefined();
});
