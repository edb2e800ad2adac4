import { fold, unwrap } from '../../../nodes/cells/unwrap.ts';
import { table } from './table.mts';

/** For each step, a text and the cells that hold it. A text that only looks like a case of the step is its own cell. */
const steps = table(`
	another encoding ¦ Jürgen Łuk ¦ JÃ¼rgen Å\u0081uk ¦ JÃƒÂ¼rgen Ã…\u0081uk
	another encoding ¦ O’Neil ¦ O\u0092Neil ¦ Oâ€™Neil
	another encoding ¦ ÃO Paulo ¦ ÃO Paulo
	another encoding ¦ Ada Berg ¦ AdaÂ Berg ¦ Ada BergÂ
	another encoding ¦ Ângela ¦ Ângela
	what nobody sees ¦ Ada Berg ¦ \u200bAda\u00a0Berg\u200b ¦ Ada\u2060 \ufe0fBerg ¦ \u202aAda Berg\u202c
		¦ Ada\0Berg ¦ \u200b["Ada Berg"] ¦ Ada\u2003\ufeffBerg
	what nobody sees ¦ Ada⏎Berg ¦ Ada\u2028Berg ¦ Ada\r⏎\tBerg
	quotes ¦ Ada ¦ "Ada" ¦ ="Ada" ¦ „Ada“ ¦ « Ada » ¦ '"Ada"'
	quotes ¦ O'Neil ¦ 'O'Neil'
	quotes ¦ "Al" Berg ¦ ""Al" Berg" ¦ "Al" Berg
	quotes ¦ "Ada" and "Bob" ¦ "Ada" and "Bob"
	JSON and Python ¦ ada@x.example⏎bob@x.example ¦ ["ada@x.example","bob@x.example"] ¦ ['ada@x.example', 'bob@x.example']
		¦ [{"label":"work","value":"ada@x.example"},{"value":"bob@x.example","primary":true}]
	JSON and Python ¦ 12 ¦ {"id":"7","value":12}
	JSON and Python ¦ [Ada] ¦ [Ada]
	escapes ¦ Ada, Berg ¦ Ada\\, Berg ¦ Ada%2C Berg ¦ Ada\\u002c Berg ¦ =?utf-8?q?Ada=2C_Berg?= ¦ =?utf-8?b?QWRhLCBCZXJn?=
		¦ N;TYPE=x:Ada, Berg
	escapes ¦ Zoë ¦ Zo%C3%AB ¦ Zo=C3=AB ¦ Zo\\u00eb ¦ =?ISO-8859-1?Q?Zo=EB?=
	escapes ¦ Ada⏎Berg ¦ Ada\\r\\nBerg ¦ Ada_x000D_Berg
	escapes ¦ 50%50 ¦ 50%50
	escapes ¦ C:\\new ¦ C:\\new
	links ¦ Call us ¦ [Call us](tel:+4930) ¦ <tel:+4930|Call us> ¦ =HYPERLINK("tel:+4930";"Call us")
	links ¦ tel:+4930 ¦ =HYPERLINK("tel:+4930")
	links ¦ Acme [Berlin] (HQ) ¦ Acme [Berlin] (HQ)
	markup ¦ AT&T <tj> ¦ AT&amp;T &lt;tj&gt; ¦ <p>AT&amp;T <tj></p> ¦ <b class="x">AT&T</b> <tj>
	markup ¦ A < B ¦ A < B ¦ A &lt; B
	several layers ¦ Voilà ¦ VoilÃ\u00a0\u200b ¦ VoilÃƒÂ\u00a0\u200b
	several layers ¦ O’Neil & Söhne ¦ "<b>O&amp;rsquo;Neil &amp;amp; SÃ¶hne</b>" ¦ ["O\\u2019Neil &amp; S%C3%B6hne"]
`);

test.each(steps)('%s: %j', (_, [text, ...cells]) => {
	for (const cell of cells)
		expect({ cell, ...unwrap(cell) }).toMatchObject({ cell, text, problem: undefined });
});

test.each([
	['[Call us](tel:+4930) or <mailto:ada@x.example|mail>', ['tel:+4930', 'mailto:ada@x.example']],
	['=HYPERLINK("tel:+4930";"Call us")', ['tel:+4930']],
	['<a href="tel:+4930">Call us</a>', ['tel:+4930']],
	['Ada Berg', []],
])('the links of %j are %j', (cell, links) => {
	expect(unwrap(cell).links).toEqual(links);
});

test.each(['M\ufffdller', 'JosÃ', 'Ada \ud83d'])('%j has lost a letter', (cell) => {
	expect(unwrap(cell).problem).toContain('has lost a letter');
});

const typed = table(`
	+49 (30) 12-34 ¦ ＋４９ （３０） １２－３４ ¦ +49 (30) 12–34 ¦ +49 (30) 12ー34 ¦ '+49 (30) 12-34 ¦ ;+49 (30) 12-34,
		¦ +49 (30)\u200e 12-34
	ada@x.example ¦ ada@x。example ¦ ａｄａ＠ｘ．example ¦ | ada@x.example |
`);

test.each(typed)('%j is typed on a Western keyboard: %j', (text, cells) => {
	for (const cell of cells) expect({ cell, text: fold(cell) }).toEqual({ cell, text });
});
