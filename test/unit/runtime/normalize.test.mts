import { removeInvisible, tidyName } from '../../../nodes/runtime/normalize.ts';

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
