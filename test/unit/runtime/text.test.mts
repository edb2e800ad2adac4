import { enumerate, shortenWords } from '../../../nodes/runtime/text.ts';

test.each<[texts: string[], most: number | undefined, told: string]>([
	[[], undefined, ''],
	[['a'], undefined, 'a'],
	[['a', 'b'], undefined, 'a and b'],
	[['a', 'b', 'c'], undefined, 'a, b and c'],
	[['a', 'b', 'c'], 3, 'a, b and c'],
	[['a', 'b', 'c', 'd'], 3, 'a, b, c and 1 more'],
	[['a', 'b', 'c', 'd', 'e', 'f'], 2, 'a, b and 4 more'],
])('%j, of which %p are named, are told as %j', (texts, most, told) => {
	expect(enumerate(texts, most)).toBe(told);
});

test.each([
	['as it is', 'as it is'],
	['ten letters', 'ten lett…'],
	['ten letter', 'ten letter'],
	['seven letters', 'seven lett…'],
	['0123456789abc', '0123…'],
	['words and 😀😀😀', 'words and …'],
])('%j in ten letters is %j', (text, shown) => {
	expect(shortenWords(text, 10)).toBe(shown);
});
