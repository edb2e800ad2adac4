import { readCompanyDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import type { Reader, Reading } from '../../../nodes/cells/reading.ts';
import { table } from './table.mts';

/*
 * Cells of people's forms, CRMs and spreadsheets, as public reports have them, with what is right. Each is a sample of a
 * kind, which spellings.test.mts generates.
 */

const readers: Record<string, Reader> = {
	phone: readPhone,
	email: readEmail,
	profile: readLinkedIn,
	company: readCompanyDomain,
	name: readName,
};

function describe(reading: Reading): string {
	if (!reading) return 'blank';
	if ('value' in reading) return reading.value;
	return reading.isPlaceholder ? 'nothing' : 'unreadable';
}

/** What comes of each cell: the value that is sent, `nothing` for what stands for no value, or `unreadable`. */
const rows = table(`
	phone ¦ unreadable ¦ 12 ¦ 123 ¦ 1234 ¦ 4711 ¦ 0170 ¦ 1-800-FLOWERS ¦ +1 (555) 123 ¦ ask reception ¦ yes ¦ @ada
		¦ ada@x.example ¦ skype: ada.berg ¦ 555-0100 / 555-0101 ¦ +33 6 12 34 ¦ abc123 ¦ 4.93012E+11
		¦ NIF B-58001171 ¦ NIP: 525-000-01-71 ¦ +34 6OO 555 173 ¦ O171 2345678
		¦ https://www.facebook.com/100012345678 ¦ 12.05.2026 14:30
	phone ¦ nothing ¦ asdf ¦ call me ¦ #ERROR! ¦ () Not provided. ¦ kein Telefon ¦ +49
	phone ¦ +4915112345678 ¦ https://wa.me/4915112345678 ¦ 4915112345678@s.whatsapp.net
	phone ¦ 004-92-58-76-11 ¦ 004-92-58-76-11
	phone ¦ +12125550100 ¦ 001-212-555-0100 ¦ 00 1 212 555 0100
	phone ¦ 0151/234 567 89 ¦ 0151/234 567 89 ab 18 Uhr
	phone ¦ (02) 9999 9999 ¦ (02) 9999 9999 ask for Jo
	phone ¦ +493023125125 ¦ p:+493023125125
	phone ¦ 06 39 98 91 37 ¦ Portable : 06 39 98 91 37 ¦ 06 39 98 91 37 (maison)
	phone ¦ 08-465 004 36 ¦ jobb 08-465 004 36
	phone ¦ 602 555 938 ¦ tel. kom. 602 555 938
	phone ¦ 03-5550-0986 ¦ 直通 03-5550-0986 ¦ ０３－５５５０－０９８６
	phone ¦ 0176 04069939 ¦ 0176 04069939 (nur abends)
	phone ¦ 090-1234-5678 ¦ ０９０－１２３４－５６７８ ¦ 090ー1234ー5678 ¦ ०९०-१२३४-५६७८
	phone ¦ +819012345678 ¦ +81 90−1234−5678 ¦ +٨١ ٩٠ ١٢٣٤ ٥٦٧٨
	phone ¦ +49301234567 ¦ Phone: +49 30 1234567 ¦ whatsapp:+49 30 1234567 ¦ tel:+49-30-1234567 ¦ ; +49 30 1234567
		¦ +49&nbsp;30&nbsp;1234567 ¦ <a href="tel:+49301234567">+49 30 1234567</a> ¦ +49 30 1234567 / -
		¦ <a href="tel:+49301234567">Call us</a> ¦ +49 30 1234567, +49 30 1234567
		¦ [+49 30 1234567](tel:+49301234567)
	phone ¦ +5511955550175 ¦ +55 (0xx11) 95555-0175 ¦ 7K02QX.TEL;TYPE="WORK,VOICE":+55 11 95555-0175
	phone ¦ (555) 555-0100;ext=001 ¦ (555) 555-0100,,,001#
	email ¦ nothing ¦ noemail@alpha.example ¦ notprovided@alpha.example ¦ no@email.com ¦ nomail@nomail.de
		¦ naotem@naotem.com ¦ notiene@alpha.example ¦ sinemail@alpha.example ¦ deleted@deleted.com ¦ test@meta.com
		¦ test@test.com ¦ xx@xx.xx ¦ asdf@asdf.com ¦ aaa@aaa.com ¦ brak@brak.pl ¦ your@email.com ¦ test@fb.com
		¦ none@gmail.com ¦ naam@voorbeeld.nl ¦ nemam@nemam.cz
	email ¦ unreadable ¦ ALİ@alpha.example ¦ ALI\u0307@alpha.example ¦ ali@İZMİR.example ¦ m\ufffdller@alpha.example ¦ m?ller@alpha.example ¦ just a word ¦ logo@2x.png ¦ shape@3x.jpg
		¦ alt: y.lang@a.example / neu: yvette@a.example
	email ¦ ada@x.example ¦ ADİLE <ADA@x.example> ¦ Ada <ada@x.example> ¦ ada@x．example ¦ ada@x.example (privat) ¦ Ada Berg (ada@x.example)
		¦ ada@x.example. ¦ <a href="mailto:ada@x.example">Ada</a> ¦ ada@x.example; ADA@x.example ¦ ada@x.example)
		¦ ada [at] x [dot] example
	email ¦ rosa@x.example ¦ rosa@x.example&amp;ru=http%3a%2f%2fp.example%2f
	email ¦ jörg@x.example ¦ JÃ–RG@X.EXAMPLE ¦ jÃ¶rg@x.example
	email ¦ na.li@x.example ¦ na.li@x.example ¦ <b>["\\tna.li@x.example\\t"]</b>
	email ¦ k.a@x.example ¦ k.a@x.example
	email ¦ nada@gmail.com ¦ nada@gmail.com
	email ¦ o'brien@x.example ¦ o\\'brien@x.example ¦ o'brien@x.example ¦ 'o'brien@x.example'
	profile ¦ nothing ¦ https://www.linkedin.com/in/N/A ¦ linkedin.com/in/undefined ¦ https://www.linkedin.com/in/me
	profile ¦ unreadable ¦ linkedin.com/in/ALİ ¦ linkedin ¦ @adaberg ¦ in/ada-berg ¦ https://lnkd.in/abc ¦ https://www.facebook.com/ada
		¦ https://www.linkedin.com/feed/ ¦ https://www.linkedin.com/in/m\ufffdller ¦ linkedin.com/in/o'brien
		¦ https://www.linkedin.com/pub/dir/Orla/Maguire
	profile ¦ https://www.linkedin.com/in/ada-berg ¦ https://www.linkedin.com/in/Ada-Berg)
		¦ https://www.linkedin.com/in/Ada-Berg' ¦ https://www.linkedin.com/in/Ada-Berg|x
		¦ https://www.linkedin.com/in/Ada-Berg… ¦ https://www.linkedin.com/in/Ada-Berg!
		¦ https://www.linkedin.com/in/Ada-Berg* ¦ https://www.linkedin.com/in/Ada-Berg&trk=x
		¦ https://www.linkedin.com/in/Ada-Berg&amp;trk=x ¦ https://www.linkedin.com/in/Ada-Berg=
		¦ https://www.linkedin.com/in/Ada-Berg\\ ¦ https://www.linkedin.com/in/Ada-Berg/de?trk=x
		¦ https://www.linkedin.com/in/Ada-Berg (private) ¦ https://www.linkedin.com/in/Ada-Berg%20
		¦ https://www.linkedin.com/in/Ada-Berg. ¦ https://www.linkedin.com/in/ada\u2011berg
		¦ https://www.linkedin.com/in/ada–berg ¦ https://www.linkedin.com/in/ａda-berg
		¦ https://www.linkedin.com/in/https://www.linkedin.com/in/ada-berg ¦ LinkedIn: linkedin.com/in/ada-berg
		¦ https://www.linkedin.com/in/in/ada-berg
	profile ¦ https://www.linkedin.com/in/mei-%F0%9F%8C%B8-5a ¦ linkedin.com/in/mei-🌸-5a
		¦ https://www.linkedin.com/in/mei-%f0%9f%8c%b8-5a/
	profile ¦ https://www.linkedin.com/in/none-berg ¦ https://www.linkedin.com/in/none-berg
	profile ¦ https://www.linkedin.com/in/ACwAAAbC1 ¦ https://www.linkedin.com/sales/lead/ACwAAAbC1,NAME_SEARCH,ab12
	company ¦ unreadable ¦ İZMİR.example ¦ co.uk ¦ or.jp ¦ https://www.gov.uk/ ¦ https://www.com.br/ ¦ https://www.facebook.com/bergbakery ¦ linkedin.com ¦ instagram.com ¦ linktr.ee/berg
		¦ sites.google.com/view/berg ¦ goo.gl ¦ wa.me ¦ t.me ¦ youtube.com ¦ etsy.com ¦ github.com ¦ bit.ly
		¦ yelp.com ¦ de-de.facebook.com ¦ gmail.com ¦ free.fr ¦ wanadoo.fr ¦ yahoo.co.in ¦ btinternet.com
		¦ ada@gmx.de
	company ¦ alpha.example ¦ Alpha <info@alpha.example> ¦ https://www.alpha.example/de?x
		¦ Website: https://alpha.example
	company ¦ acme.wixsite.com ¦ acme.wixsite.com/home
	name ¦ nothing ¦ [your-name] ¦ *|FNAME|* ¦ %FIRSTNAME% ¦ {!Contact.Name} ¦ {Name:1} ¦ ##NAME## ¦ %%name%%
		¦ <<name>> ¦ @{triggerBody()?['name']} ¦ {{ $json.name }} ¦ \${name} ¦ First Name Last Name ¦ Kein Name
		¦ null null ¦ #ERROR! ¦ Loading... ¦ #SPILL! ¦ #CALC! ¦ #GETTING_DATA ¦ #NV ¦ #WERT! ¦ #BEZUG! ¦ #N/D
		¦ #¡REF! ¦ Ada undefined ¦ <test lead: dummy data for full_name> ¦ test ¦ No name provided ¦ sin nombre ¦ NA ¦ Nemám ¦ [MERGE_FIRST_NAME] [MERGE_LAST_NAME]
	name ¦ +Ada ¦ '+Ada
	name ¦ unreadable ¦ Ada \ud83d ¦ M\ufffdller ¦ M?ller ¦ AndrÃ LefÃ¨vre ¦ ${'x'.repeat(300)}
	name ¦ O'Brien ¦ O&#039;Brien ¦ O'Brien
	name ¦ Müller ¦ M&uuml;ller ¦ M\\u00fcller ¦ M%C3%BCller ¦ M=C3=BCller ¦ =?UTF-8?Q?M=C3=BCller?=
	name ¦ Ada Berg ¦ Ada Berg (https://www.notion.so/Ada-Berg-1f2e?pvs=21) ¦ Ada&nbsp;Berg ¦ <b>Ada</b> Berg
		¦ Ada<br>Berg ¦ Ada\u0000Berg ¦ "Ada Berg" ¦ Ada\\u0000Berg ¦ &quot;Ada Berg&quot;
	name ¦ Smith & Sons ¦ Smith &amp; Sons ¦ Smith &amp;amp; Sons ¦ Smith & Sons
	name ¦ Günther ¦ G=C3=BCnther ¦ =47=C3=BC=6E=74=68=65=72
	name ¦ Begoña Urrutia ¦ Bego%C3%B1a+Urrutia
	name ¦ <script>alert(1)</script> ¦ <script>alert(1)</script>
	name ¦ André Lefèvre ¦ AndrÃ© LefÃ¨vre
	name ¦ Jennifer Null ¦ Jennifer Null ¦ \\u00a0item1.X;TYPE=WORK:Jennifer Null
	name ¦ C++ ¦ C%E2%80%8B++
	name ¦ AT&T ¦ AT&T
	name ¦ JOÃO ¦ JOÃO
	name ¦ LOJA DA MAÇÃ VERDE ¦ LOJA DA MAÇÃ VERDE
	name ¦ MÜLLER ¦ MÃœLLER
	name ¦ 田中 ¦ 田中
	name ¦ Na ¦ Na
	name ¦ 't Hooft ¦ 't Hooft
	name ¦ Sem de Vries ¦ Sem de Vries
	name ¦ Test Valley Ltd ¦ Test Valley Ltd
`);

test.each(rows)('of a %s, the first comes of all others: %j', (kind, [result, ...cells]) => {
	expect(cells.map((cell) => [cell, describe(readers[kind](cell))])).toEqual(
		cells.map((cell) => [cell, result]),
	);
});
