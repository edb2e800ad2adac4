import { table } from './table.mts';

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

/**
 * The name of the sort, whose users have reported it, the kinds of values (with `?` if one may be lost, and `typed`), and its forms. In a
 * form, `…` is the value, `‥` the value without blanks, `№` its digits, and `␣` a blank at an end.
 */
const sorts = table(`
	markup ¦ descriptions that a web shop exports ¦ all ¦ <b>…</b> ¦ <p>…</p> ¦ …<br> ¦ <div class="x"><span>…</span></div>
	half of markup ¦ scraped web sites ¦ addresses? name? ¦ <font color=red>… ¦ <!-- x -->…<img src="#">
	entities ¦ forms of WordPress ¦ all ¦ entities
	entities of entities ¦ a form behind a CRM ¦ all ¦ entitiesTwice
	quotes of all languages ¦ Word and Pages ¦ addresses name? ¦ "…" ¦ “…” ¦ „…“ ¦ «…» ¦ « … » ¦ ‘…’ ¦ ‹…› ¦ ”…” ¦ »…« ¦ 「…」 ¦ 『…』
	quotes of programs ¦ Python and MySQL ¦ addresses ¦ '…' ¦ \`…\` ¦ \`\`…\`\` ¦ ´…´ ¦ ″…″
	a label of a mail address ¦ signatures in mails ¦ email ¦ Email: … ¦ E-Mail-Adresse: … ¦ correo … ¦ e-mail = … ¦ メール：…
	a label of a phone ¦ Facebook's lead ads ¦ phones ¦ Tel.: … ¦ Telefon – … ¦ móvil … ¦ Mob. … ¦ p:… ¦ 携帯：… ¦ Portable : …
		¦ Handynummer … ¦ T …
	a label of a page ¦ signatures in mails ¦ urls typed ¦ scheme Website: https:// ¦ scheme LinkedIn: https:// ¦ scheme Profil – https://
	a remark behind ¦ phone books of Outlook ¦ email phones ¦ … (work) ¦ … - privat ¦ … (nur abends) ¦ … [maison] ¦ … ask for Jo
		¦ … – please do not call
	a remark in front ¦ phone books of Outlook ¦ email phone national? ¦ (work) … ¦ privat: … ¦ please use … ¦ neu – …
	a name beside ¦ senders in Gmail ¦ email phone national? ¦ Ada Berg <…> ¦ "Berg, Ada" <…> ¦ Ada Berg (…) ¦ … (Ada Berg) ¦ 'Ada' …
	brackets ¦ scraped web sites ¦ addresses ¦ (…) ¦ […] ¦ <…> ¦ （…） ¦ 【…】
	an Asian keyboard ¦ Japanese forms ¦ addresses typed ¦ fullWidth ¦ each . 。
	digits of other scripts ¦ Arabic and Hindi keyboards ¦ phones typed ¦ digits 660 ¦ digits 6f0 ¦ digits 966 ¦ digits 9e6 ¦ digits e50
		¦ digits ff10
	dashes ¦ Word and macOS ¦ phones profile typed ¦ each - ‐ ¦ each - ‑ ¦ each - ‒ ¦ each - – ¦ each - — ¦ each - − ¦ each - － ¦ each - ﹣
	signs that nobody sees ¦ texts from Teams and web pages ¦ all typed ¦ inside 200b ¦ inside feff ¦ inside 2060 ¦ wrap 200b ¦ wrap feff
		¦ wrap 2060
	marks of direction ¦ contacts of Windows and WhatsApp ¦ all ¦ \u202a…\u202c ¦ \u200e… ¦ \u200f…\u200f ¦ \u2068…\u2069 ¦ \u202d…\u202c
	soft hyphens ¦ scraped web sites ¦ addresses typed ¦ inside ad
	the scheme of a link ¦ links of web sites ¦ email ¦ mailto:… ¦ MAILTO:… ¦ mailto: … ¦ mailto:…?subject=Hello%20you&body=x ¦ SMTP:…
	the scheme of a call ¦ links of web sites ¦ phone ¦ tel:… ¦ tel://… ¦ callto:… ¦ sms:… ¦ whatsapp:… ¦ sip:…
	the scheme of a page ¦ people who type a URL ¦ urls typed ¦ scheme https:// ¦ scheme http:// ¦ scheme HTTPS:// ¦ scheme //
		¦ scheme https:/
	a link to a chat ¦ profiles of WhatsApp ¦ phone typed ¦ https://wa.me/№ ¦ https://api.whatsapp.com/send?phone=№&text=Hi
	a link in markup ¦ scraped web sites ¦ email phone ¦ link mailto: ¦ link tel:
	a link in Markdown ¦ Notion and Airtable ¦ email phone? urls ¦ […](mailto:‥) ¦ […](‥)
	a link of a chat program ¦ Slack ¦ email phone ¦ <mailto:‥|…> ¦ <tel:‥|…>
	a link with a text ¦ Slack ¦ urls ¦ <…|…> ¦ <…>
	emphasis in Markdown ¦ answers of language models ¦ addresses ¦ **…** ¦ *…* ¦ ~~…~~ ¦ > …
	tracking ¦ URLs that people share ¦ urls ¦ …?utm_source=newsletter&utm_medium=email ¦ …?trk=public_profile ¦ …/?lipi=urn%3Ali%3Apage
		¦ …#about ¦ …?originalSubdomain=de
	a part of the page ¦ URLs from the browser ¦ urls ¦ …/ ¦ …// ¦ …/de ¦ …/details/experience/ ¦ …/?
	punctuation behind ¦ sentences of visitors ¦ addresses ¦ …. ¦ …, ¦ …; ¦ …! ¦ …... ¦ …) ¦ …| ¦ …: ¦ …> ¦ …* ¦ …?
	what is left of a CSV file ¦ CSV files for Excel ¦ addresses ¦ "… ¦ …" ¦ '… ¦ ="…" ¦ …;;; ¦ ""…"" ¦ "…", ¦ …,,,,; ¦ \\"…\\"
	the same twice ¦ merged contacts of HubSpot ¦ email phone national? urls ¦ …; … ¦ …, … ¦ … / … ¦ …⏎… ¦ … | … ¦ … ::: …
	a list in JSON ¦ n8n and Pipedrive ¦ email phone national? profile domain? name? ¦ json ["…"] ¦ json {"type":"home","value":"…"}
	Windows' encoding ¦ CSV files in Excel ¦ email? name? urls? ¦ windows ¦ latin
	letters in parts ¦ files of macOS ¦ all typed ¦ parts
	blanks of many kinds ¦ web pages and Word ¦ all ¦ blanks 20 ¦ blanks a0 ¦ blanks 2003 ¦ blanks 2009 ¦ blanks 202f ¦ blanks 3000 ¦ blanks 9
	line breaks around ¦ cells of Excel ¦ all ¦ ⏎… ¦ …\r⏎ ¦ …\u2028⏎ ¦ ⏎\r⏎…⏎
	control characters ¦ exports of old databases ¦ all ¦ …\u0000 ¦ \u0001… ¦ …\u001f\u007f
	a spreadsheet's own escapes ¦ Excel files read by scripts ¦ all ¦ …_x000D_ ¦ …_x000D_⏎ ¦ …_x000a_
	a separator with nothing behind ¦ Google Contacts ¦ addresses ¦ … ;␣ ¦ … / - ¦ …, , ¦ …| ¦ ; … ¦ ␣| … ¦ … :::␣
	a placeholder beside ¦ forms with several fields in one ¦ email phone ¦ … / n/a ¦ …; - ¦ n/a; … ¦ … | none
	emoji ¦ profiles of Instagram ¦ addresses ¦ 📞 … ¦ ✉️ … ¦ … 🙂 ¦ 👉…
	capitals ¦ old databases ¦ email urls typed ¦ capitals
	bullets ¦ lists in Notion ¦ addresses ¦ • … ¦ - … ¦ * … ¦ · … ¦ → … ¦ – …
	a number of a list ¦ lists in mails ¦ email phone? ¦ 1) … ¦ 2. … ¦ #1 …
	a formula ¦ Google Sheets ¦ email phone ¦ =HYPERLINK("mailto:‥","…") ¦ =LIEN.HYPERTEXTE("#A1";"…")
`);

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

export const noises: Noise[] = sorts.map(([sort, [, of, ...forms]]) => {
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
