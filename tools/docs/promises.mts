import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';

/** A row of the table of promises: what stands behind a promise, and what that costs. */
export interface PromiseRow {
	/** As the page has it. */
	line: string;
	promise: string;
	/** Files and folders, from the repository's root. */
	code: string[];
	tests: string[];
	/** As the page has it: `160 + 260` */
	price: string;
	codeLines: number;
	testLines: number;
}

export const promisesPage = 'test/promises.md';
const source = '{nodes,credentials,test}/**/*.{ts,mts,mjs}';

export const countLines = (file: string): number =>
	readFileSync(join(root, file), 'utf8').split('\n').length - 1;

/** @returns the longest of these places that is the file, or a folder around it. */
export const findOwner = (file: string, places: Iterable<string>): string | undefined =>
	[...places]
		.filter((place) => file === place || file.startsWith(`${place}/`))
		.sort((one, other) => other.length - one.length)[0];

export function readPromises(): PromiseRow[] {
	// Without the heads of the tables.
	const lines = readText().match(/^\| (?!Promise \|).*/gm) ?? [];
	const rows = lines.map((line) => {
		const [, promise, code, tests, price] = line.split('|').map((cell) => cell.trim());
		return { line, promise, code: listLinks(code), tests: listLinks(tests), price };
	});
	const places = rows.flatMap(({ code, tests }) => [...code, ...tests]);
	const linesOf = new Map<string, number>();
	for (const file of globSync(source, { cwd: root })) {
		const owner = findOwner(file, places);
		if (owner !== undefined) linesOf.set(owner, (linesOf.get(owner) ?? 0) + countLines(file));
	}
	const sum = (links: string[]) => links.reduce((all, link) => all + (linesOf.get(link) ?? 0), 0);
	return rows.map((row) => ({ ...row, codeLines: sum(row.code), testLines: sum(row.tests) }));
}

/** The page with the lines that its files have now. */
export const writePromises = (): string =>
	readPromises().reduce((text, { line, codeLines, testLines }) => {
		const priced = line.replace(/[^|]+\|$/, ` ${codeLines} + ${testLines} |`);
		return text.replace(line, () => priced);
	}, readText());

/** @returns what is wrong with the links of the table */
export function findFaults(): string[] {
	const rows = readPromises();
	const links = rows.flatMap(({ code, tests }) => [...code, ...tests]);
	return [
		...links.filter((link) => !existsSync(join(root, link))).map((link) => `${link} is not there`),
		...links
			.filter((link, index) => links.indexOf(link) !== index)
			.map((link) => `${link} stands in two rows`),
		...rows.filter(({ tests }) => tests.length === 0).map(({ promise }) => `No test: ${promise}`),
	];
}

const readText = (): string => readFileSync(join(root, promisesPage), 'utf8');

function listLinks(cell: string): string[] {
	return [...cell.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) =>
		join('test', link).replace(/\/$/, ''),
	);
}
