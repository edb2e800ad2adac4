import { readFileSync } from 'node:fs';

/*
 * Values that people really have. A file has one in each line: alone if it goes out as it is, trimmed, and behind a tab with
 * what is sent, where that has a documented form. `\n`, `\t`, `\u200b` and `\\` are escapes. The first three lines say the
 * source.
 */

export interface TrueValue {
	value: string;
	sent: string;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', '\\': '\\' };

const unescape = (text: string): string =>
	text.replace(/\\(?:u([\da-f]{4})|([nt\\]))/g, (_, code: string | undefined, sign: string) =>
		code ? String.fromCharCode(parseInt(code, 16)) : escapes[sign],
	);

export function readLines(file: string): string[][] {
	const lines = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
		.split('\n')
		.slice(3, -1);
	return lines.map((line) => line.split('\t').map(unescape));
}

export const readTruth = (name: string): TrueValue[] =>
	readLines(`${name}.txt`).map(([value, sent = value.trim()]) => ({ value, sent }));
