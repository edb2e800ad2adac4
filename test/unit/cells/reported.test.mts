import { readCompanyDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import type { Reader, Reading } from '../../../nodes/cells/reading.ts';

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

const profile = (handle: string) => `https://www.linkedin.com/in/${handle}`;

/** What comes of each cell: the value that is sent, `nothing` for what stands for no value, or `unreadable`. */
const rows: Record<string, Record<string, string[]>> = {
	phone: {
		unreadable: [
			...[
				'12',
				'123',
				'1234',
				'4711',
				'0170',
				'1-800-FLOWERS',
				'+1 (555) 123',
				'ask reception',
				'yes',
				'@ada',
			],
			...[
				'ada@x.example',
				'skype: ada.berg',
				'555-0100 / 555-0101',
				'+33 6 12 34',
				'abc123',
				'4.93012E+11',
			],
			...['NIF B-58001171', 'NIP: 525-000-01-71', '+34 6OO 555 173', 'O171 2345678'],
			...['https://www.facebook.com/100012345678', '12.05.2026 14:30'],
		],
		nothing: ['asdf', 'call me', '#ERROR!', '() Not provided.', 'kein Telefon', '+49'],
		'+4915112345678': ['https://wa.me/4915112345678', '4915112345678@s.whatsapp.net'],
		'0151/234 567 89': ['0151/234 567 89 ab 18 Uhr'],
		'(02) 9999 9999': ['(02) 9999 9999 ask for Jo'],
		'+493023125125': ['p:+493023125125'],
		'06 39 98 91 37': ['Portable : 06 39 98 91 37', '06 39 98 91 37 (maison)'],
		'08-465 004 36': ['jobb 08-465 004 36'],
		'602 555 938': ['tel. kom. 602 555 938'],
		'03-5550-0986': ['直通 03-5550-0986', '０３－５５５０－０９８６'],
		'0176 04069939': ['0176 04069939 (nur abends)'],
		'090-1234-5678': ['０９０－１２３４－５６７８', '090ー1234ー5678', '०९०-१२३४-५६७८'],
		'+819012345678': ['+81 90−1234−5678', '+٨١ ٩٠ ١٢٣٤ ٥٦٧٨'],
		'+49301234567': [
			...[
				'Phone: +49 30 1234567',
				'whatsapp:+49 30 1234567',
				'tel:+49-30-1234567',
				'; +49 30 1234567',
			],
			...[
				'+49&nbsp;30&nbsp;1234567',
				'<a href="tel:+49301234567">+49 30 1234567</a>',
				'+49 30 1234567 / -',
			],
			...[
				'<a href="tel:+49301234567">Call us</a>',
				'+49 30 1234567, +49 30 1234567',
				'[+49 30 1234567](tel:+49301234567)',
			],
		],
		'(555) 555-0100;ext=001': ['(555) 555-0100,,,001#'],
	},
	email: {
		nothing: [
			...[
				'noemail@alpha.example',
				'notprovided@alpha.example',
				'no@email.com',
				'nomail@nomail.de',
				'naotem@naotem.com',
			],
			...[
				'notiene@alpha.example',
				'sinemail@alpha.example',
				'deleted@deleted.com',
				'test@meta.com',
				'test@test.com',
			],
			...[
				'xx@xx.xx',
				'asdf@asdf.com',
				'aaa@aaa.com',
				'brak@brak.pl',
				'your@email.com',
				'test@fb.com',
				'none@gmail.com',
			],
		],
		unreadable: [
			'm\ufffdller@alpha.example',
			'm?ller@alpha.example',
			'just a word',
			'alt: y.lang@a.example / neu: yvette@a.example',
		],
		'ada@x.example': [
			...[
				'Ada <ada@x.example>',
				'ada@x．example',
				'ada@x.example (privat)',
				'Ada Berg (ada@x.example)',
				'ada@x.example.',
			],
			...[
				'<a href="mailto:ada@x.example">Ada</a>',
				'ada@x.example; ADA@x.example',
				'ada@x.example)',
				'ada [at] x [dot] example',
			],
		],
		'na.li@x.example': ['na.li@x.example'],
		'k.a@x.example': ['k.a@x.example'],
		'nada@gmail.com': ['nada@gmail.com'],
		"o'brien@x.example": ["o\\'brien@x.example", "o'brien@x.example", "'o'brien@x.example'"],
	},
	profile: {
		nothing: [
			'https://www.linkedin.com/in/N/A',
			'linkedin.com/in/undefined',
			'https://www.linkedin.com/in/me',
		],
		unreadable: [
			...[
				'linkedin',
				'@adaberg',
				'in/ada-berg',
				'https://lnkd.in/abc',
				'https://www.facebook.com/ada',
			],
			...[
				'https://www.linkedin.com/feed/',
				'https://www.linkedin.com/in/m\ufffdller',
				"linkedin.com/in/o'brien",
			],
		],
		[profile('ada-berg')]: [
			...[
				')',
				"'",
				'|x',
				'…',
				'!',
				'*',
				'&trk=x',
				'&amp;trk=x',
				'=',
				'\\',
				'/de?trk=x',
				' (private)',
				'%20',
				'.',
			].map((tail) => profile('Ada-Berg') + tail),
			...[profile('ada‑berg'), profile('ada–berg'), profile('ａda-berg')],
			...[
				'https://www.linkedin.com/in/https://www.linkedin.com/in/ada-berg',
				'LinkedIn: linkedin.com/in/ada-berg',
			],
		],
		[profile('none-berg')]: [profile('none-berg')],
		[profile('ACwAAAbC1')]: ['https://www.linkedin.com/sales/lead/ACwAAAbC1,NAME_SEARCH,ab12'],
	},
	company: {
		unreadable: [
			...[
				'https://www.facebook.com/bergbakery',
				'linkedin.com',
				'instagram.com',
				'linktr.ee/berg',
				'sites.google.com/view/berg',
			],
			...[
				'goo.gl',
				'wa.me',
				't.me',
				'youtube.com',
				'etsy.com',
				'github.com',
				'bit.ly',
				'yelp.com',
				'de-de.facebook.com',
			],
			...['gmail.com', 'free.fr', 'wanadoo.fr', 'yahoo.co.in', 'btinternet.com', 'ada@gmx.de'],
		],
		'alpha.example': [
			'Alpha <info@alpha.example>',
			'https://www.alpha.example/de?x',
			'Website: https://alpha.example',
		],
		'acme.wixsite.com': ['acme.wixsite.com/home'],
	},
	name: {
		nothing: [
			...[
				'[your-name]',
				'*|FNAME|*',
				'%FIRSTNAME%',
				'{!Contact.Name}',
				'{Name:1}',
				'##NAME##',
				'%%name%%',
				'<<name>>',
			],
			...[
				"@{triggerBody()?['name']}",
				'{{ $json.name }}',
				'${name}',
				'First Name Last Name',
				'Kein Name',
				'null null',
			],
			...[
				'#ERROR!',
				'Loading...',
				'#SPILL!',
				'#CALC!',
				'#GETTING_DATA',
				'#NV',
				'#WERT!',
				'#BEZUG!',
				'#N/D',
				'#¡REF!',
			],
			...[
				'Ada undefined',
				'<test lead: dummy data for full_name>',
				'test',
				'No name provided',
				'sin nombre',
			],
		],
		unreadable: ['M\ufffdller', 'M?ller', 'Andr\u00c3 Lef\u00c3\u00a8vre', 'x'.repeat(300)],
		"O'Brien": ['O&#039;Brien', "O'Brien"],
		Müller: [
			'M&uuml;ller',
			'M\\u00fcller',
			'M%C3%BCller',
			'M=C3=BCller',
			'=?UTF-8?Q?M=C3=BCller?=',
		],
		'Ada Berg': [
			'Ada Berg (https://www.notion.so/Ada-Berg-1f2e?pvs=21)',
			'Ada&nbsp;Berg',
			'<b>Ada</b> Berg',
			'Ada<br>Berg',
			'Ada\u0000Berg',
			'"Ada Berg"',
			'Ada\\u0000Berg',
			'&quot;Ada Berg&quot;',
		],
		'Smith & Sons': ['Smith &amp; Sons', 'Smith &amp;amp; Sons', 'Smith & Sons'],
		Günther: ['G=C3=BCnther'],
		'André Lefèvre': ['AndrÃ© LefÃ¨vre'],
		'Jennifer Null': ['Jennifer Null'],
		'AT&T': ['AT&T'],
		JOÃO: ['JOÃO'],
		'LOJA DA MAÇÃ VERDE': ['LOJA DA MAÇÃ VERDE'],
		MÜLLER: ['MÃœLLER'],
		田中: ['田中'],
		Na: ['Na'],
		"'t Hooft": ["'t Hooft"],
		'Sem de Vries': ['Sem de Vries'],
		'Test Valley Ltd': ['Test Valley Ltd'],
	},
};

const table = Object.entries(rows).flatMap(([kind, results]) =>
	Object.entries(results).map(([result, cells]) => [kind, result, cells] as const),
);

test.each(table)('of a %s, %j comes of each of its cells', (kind, result, cells) => {
	expect(cells.map((cell) => [cell, describe(readers[kind](cell))])).toEqual(
		cells.map((cell) => [cell, result]),
	);
});
