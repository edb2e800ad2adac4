/** What a message says that nobody wrote for people. */
export const unexpectedWords =
	/TypeError|URIError|RangeError|is not a function|undefined|(?<!type-|contains )\[object|[Cc]annot read|[Mm]alformed|[Cc]ircular|[Ss]erialize/;

/** Values of other types than a field expects, and texts that try to leave their segment of a path. */
export const hostileValues: unknown[] = [
	...[0, -1, 1e21, true, false, null, '', ' ', 'null', '[]', '{}', 'a,b', '["a"'],
	...[[], {}, [[]], ['a'], [{ a: 1 }], { a: 1 }, { toString: 1 }, { value: { value: 'a' } }],
	...['__proto__', 'constructor', 'toString', '😀'.repeat(300), 'x'.repeat(50_000), { length: 3 }],
	...['..', '.', '../..', '../../persons', '%2e%2e', '%2E%2E/persons', '..%2f..%2fpersons', 'a/b'],
	...[
		'/',
		'\\..\\persons',
		'a?limit=1',
		'?',
		'#',
		'a#b',
		'a;b=c',
		'//other.example/',
		'@a.example',
	],
	...[
		'http://other.example/v0/persons',
		'a b',
		'\t\n',
		'\ud83d',
		'\udc00x',
		'a\u0000b',
		'..\u200b',
	],
	...['a\r\nx-evil: 1', 'ａ'],
];
