import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';

/** A row of the table of promises: what stands behind a promise, and what that costs. */
export interface PromiseRow {
	promise: string;
	/** Files and folders, from the repository's root. */
	code: string[];
	tests: string[];
	codeLines: number;
	testLines: number;
	/** As the page has it: `160 + 260` */
	price: string;
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
	const rows = readRows().map(({ cells }) => ({
		promise: cells[0],
		code: listLinks(cells[1]),
		tests: listLinks(cells[2]),
		price: cells[3],
	}));
	const places = rows.flatMap(({ code, tests }) => [...code, ...tests]);
	const lines = new Map<string, number>();
	for (const file of globSync(source, { cwd: root })) {
		const owner = findOwner(file, places);
		if (owner !== undefined) lines.set(owner, (lines.get(owner) ?? 0) + countLines(file));
	}
	const sum = (links: string[]) => links.reduce((all, link) => all + (lines.get(link) ?? 0), 0);
	return rows.map((row) => ({ ...row, codeLines: sum(row.code), testLines: sum(row.tests) }));
}

/** The page with the lines that its files have now. */
export function writePromises(): string {
	const priced = readPromises().values();
	const rows = new Map(readRows().map(({ line, cells }) => [line, cells]));
	return readText()
		.split('\n')
		.map((line) => {
			const cells = rows.get(line);
			if (!cells) return line;
			const { codeLines, testLines } = priced.next().value as PromiseRow;
			return `| ${cells.slice(0, 3).join(' | ')} | ${codeLines} + ${testLines} |`.replace(
				/ {2,}/g,
				' ',
			);
		})
		.join('\n');
}

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

/** The lines of the tables, without their heads. */
function readRows(): Array<{ line: string; cells: string[] }> {
	return readText()
		.split('\n')
		.filter((line) => line.startsWith('| ') && !line.startsWith('| Promise |'))
		.map((line) => ({
			line,
			cells: line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		}));
}

function listLinks(cell: string): string[] {
	return [...cell.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) =>
		join('test', link).replace(/\/$/, ''),
	);
}
