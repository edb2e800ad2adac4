/** What stands in place of a secret. */
export const mark = '***';

/**
 * A value without secrets, wherever they stand in it and however their letters are written: in either case, and escaped
 * as in JSON, a URL or a web page, or several of these on top of each other. It takes time in proportion to the value,
 * because strangers write it, and no recursion, because it may be nested deeper than the stack.
 * @param secrets of letters that a header or a URL can hold
 */
export function redact<T>(value: T, secrets: string[]): T {
	const needles = listNeedles(secrets);
	if (needles.length === 0) return value;
	let clean: unknown;
	const open: Member[] = [{ value, set: (member) => (clean = member) }];
	for (let next = open.pop(); next; next = open.pop()) {
		const { value: member, set } = next;
		if (typeof member === 'string') {
			set(redactText(member, needles));
		} else if (Array.isArray(member)) {
			const copy: unknown[] = [...(member as unknown[])];
			set(copy);
			copy.forEach((each, at) => open.push({ value: each, set: (one) => (copy[at] = one) }));
		} else if (typeof member === 'object' && member !== null) {
			// From entries, so that a field named __proto__ stays a field.
			const copy: Record<string, unknown> = Object.fromEntries(
				Object.entries(member).map(([key, each]) => [redactText(key, needles), each]),
			);
			set(copy);
			for (const [key, each] of Object.entries(copy))
				open.push({ value: each, set: (one) => (copy[key] = one) });
		} else {
			set(member);
		}
	}
	return clean as T;
}

interface Member {
	value: unknown;
	set: (clean: unknown) => void;
}

/** A secret may look escaped itself, so it is sought both as it is and as it reads. */
function listNeedles(secrets: string[]): string[] {
	const all = secrets.flatMap((secret) => [
		secret,
		...[...readLayers(secret)].map(({ text }) => text),
	]);
	return [...new Set(all.map(lowerLetters))].filter((needle) => needle !== '');
}

function redactText(text: string, needles: string[]): string {
	const spans: Span[] = [];
	for (const layer of readLayers(text))
		for (const span of findSpans(layer, needles)) spans.push(span);
	let clean = '';
	let from = 0;
	for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
		if (start >= from) clean += text.slice(from, start) + mark;
		from = Math.max(from, end);
	}
	return clean + text.slice(from);
}

/** A part of a text. */
interface Span {
	start: number;
	end: number;
}

/** What a text reads once its escapes are replaced. */
interface Layer {
	text: string;
	/** Where in the text itself each of the letters begins and ends; missing for the text itself. */
	starts?: Uint32Array;
	ends?: Uint32Array;
}

/** More escapes on top of each other are nobody's mistake. */
const mostLayers = 8;

/** The text, what it reads, what that reads, and so on. One after the other, because a text may have 16 MB. */
function* readLayers(text: string): Generator<Layer> {
	let next: Layer | undefined = { text };
	for (let layer = 0; next && layer < mostLayers; layer++) {
		yield next;
		next = unescape(next);
	}
}

/** @returns undefined for a text without escapes */
function unescape({ text, starts, ends }: Layer): Layer | undefined {
	const pattern = text.includes('\0') ? nuls : escapes;
	if (text.search(pattern) < 0) return undefined;
	const read = {
		text: '',
		starts: new Uint32Array(text.length),
		ends: new Uint32Array(text.length),
	};
	let from = 0;
	let length = 0;
	const locate = (first: number, last: number) => {
		read.starts[length] = starts?.[first] ?? first;
		read.ends[length++] = ends?.[last] ?? last + 1;
	};
	const keepUntil = (end: number) => {
		read.text += text.slice(from, end);
		for (; from < end; from++) locate(from, from);
	};
	for (const match of text.matchAll(pattern)) {
		const letter = readEscape(match);
		if (letter === undefined) continue;
		keepUntil(match.index);
		from = match.index + match[0].length;
		if (letter !== '') locate(match.index, from - 1);
		read.text += letter;
	}
	keepUntil(text.length);
	return read.text === text ? undefined : read;
}

/** However often each is escaped in its own way: a run of backslashes, `%252F`, `&amp;amp;#47;`. */
const escapes =
	/\\+(?:u([\da-f]{4})|x([\da-f]{2}))?|%(?:25)*([\da-f]{2})|&(?:amp;)*(?:#(?:x([\da-f]+)|(\d+));?|([a-z]{2,6});)/gi;

/** Between the letters of UTF-16 and UTF-32 that was read in another charset. They go before escapes are read. */
const nuls = /\0+/g;

/** One letter, or none for NULs, and for backslashes that only protect what follows. undefined for what is no escape of a letter. */
function readEscape([escape, ...groups]: RegExpMatchArray): string | undefined {
	const [json, short, percent, hex, decimal, name] = groups;
	if (escape.endsWith('\\') || escape.endsWith('\0')) return '';
	if (name !== undefined) return namedLetters[name.toLowerCase()];
	const digits = json ?? short ?? percent ?? hex;
	const code = digits === undefined ? Number(decimal) : parseInt(digits, 16);
	return code < 0x1_0000 ? String.fromCharCode(code) : undefined;
}

/** What HTML calls the signs of ASCII. */
const namedLetters: Partial<Record<string, string>> = {
	amp: '&',
	apos: "'",
	ast: '*',
	bsol: '\\',
	colon: ':',
	comma: ',',
	commat: '@',
	dollar: '$',
	equals: '=',
	excl: '!',
	grave: '`',
	gt: '>',
	hat: '^',
	lbrace: '{',
	lbrack: '[',
	lcub: '{',
	lowbar: '_',
	lpar: '(',
	lsqb: '[',
	lt: '<',
	num: '#',
	percnt: '%',
	period: '.',
	plus: '+',
	quest: '?',
	quot: '"',
	rbrace: '}',
	rbrack: ']',
	rcub: '}',
	rpar: ')',
	rsqb: ']',
	semi: ';',
	sol: '/',
	verbar: '|',
	vert: '|',
};

/** Without changing how many there are: this one would become two. */
function lowerLetters(text: string): string {
	return text.replaceAll('\u0130', 'i').toLowerCase();
}

/**
 * The letters of a longer secret that are sought. The rest is hidden as far as it follows: all of it, or what is left of a
 * text that was cut. A search for very many letters would take too long.
 */
const mostSought = 64;

/** Those that overlap are one. */
function findSpans({ text, starts, ends }: Layer, needles: string[]): Span[] {
	const lower = lowerLetters(text);
	return needles.flatMap((needle) => {
		const spans: Span[] = [];
		const sought = needle.slice(0, mostSought);
		let at = lower.indexOf(sought);
		while (at >= 0) {
			let next = at + sought.length;
			while (next - at < needle.length && lower[next] === needle[next - at]) next++;
			const start = starts?.[at] ?? at;
			const end = ends?.[next - 1] ?? next;
			const before = spans.at(-1);
			if (before && start < before.end) before.end = end;
			else spans.push({ start, end });
			at = lower.indexOf(sought, next - sought.length + 1);
		}
		return spans;
	});
}
