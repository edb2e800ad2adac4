import { normalize, removeInvisible, tidyName } from '../../../nodes/runtime/normalize.ts';

const acute = '\u0301';

test.each([
	['a short text', `Cafe${acute}`, 'Café'],
	['a long text', `${'x'.repeat(100)}e${acute}`, `${'x'.repeat(100)}é`],
	['many marks, each on its own letter', `e${acute}`.repeat(40), 'é'.repeat(40)],
	['30 marks on one letter', `e${acute.repeat(30)}`, `é${acute.repeat(29)}`],
])('composes %s', (_, text, composed) => {
	expect(normalize(text, 'NFC')).toBe(composed);
});

test('leaves a text with more marks than 30 on one letter as it is', () => {
	const text = `e${acute} and e${acute.repeat(31)}`;
	expect(normalize(text, 'NFC')).toBe(text);
});

test.each([
	['4711\u200b', '4711', '4711'],
	['\ufeff4711', '4711', '4711'],
	['47\u200b11', '4711', '4711'],
	['\u00a04711\u202f', '4711', '4711'],
	['\u200eada@a.example\u200f', 'ada@a.example', 'ada@a.example'],
	['Ada\u00a0Berg\u00ad', 'Ada Berg', 'Ada Berg'],
	[' a b ', 'a b', 'a b'],
	// Joiners of letters and emoji.
	['نام\u200cها', 'نامها', 'نام\u200cها'],
	['👩\u200d💻', '👩💻', '👩\u200d💻'],
	['\u200b', '', ''],
])('%j is %j as an ID, and %j as a name', (text, id, name) => {
	expect([removeInvisible(text), tidyName(text)]).toEqual([id, name]);
});
