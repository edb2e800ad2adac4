import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../tools/root.mts';
import { drawRatios, drawSizes } from './pictures.mts';
import type { Report } from './subject.mts';

/** What a run measured of a subject, and where. */
type Measured = Omit<Report, 'text'> & { setting: string };
type Results = Record<string, Measured>;

/** The results that the documentation shows. */
const kept = { results: 'bench/results.json', pictures: 'docs/images' };
const unkept = { results: '.cache/bench/results.json', pictures: '.cache/bench' };

/**
 * Stores what was measured, by the subject's name, and draws it. Returns the paths of the pictures.
 * @param keep in place of what the documentation shows; results of other subjects stay
 */
export async function storeResults(
	names: string[],
	measured: Results,
	keep: boolean,
): Promise<string[]> {
	const to = keep ? kept : unkept;
	const all = keep ? { ...readKept(), ...measured } : measured;
	const results = names.flatMap((name) => all[name] ?? []);
	write(to.results, `${JSON.stringify(all, null, '\t')}\n`);
	const ratios = results.flatMap((each) => each.ratios);
	const sizes = results.flatMap((each) => each.sizes ?? []);
	const pictures: Array<[name: string, svg: string]> = [];
	const settings = [...new Set(results.map(({ setting }) => setting))];
	if (ratios.length > 0) pictures.push(['bench-ratios', await drawRatios(ratios, settings)]);
	if (sizes.length > 0) {
		const ofSizes = results.filter((each) => each.sizes).map(({ setting }) => setting);
		pictures.push(['bench-sizes', await drawSizes(sizes, ofSizes)]);
	}
	return pictures.map(([name, svg]) => {
		const path = `${to.pictures}/${name}.svg`;
		write(path, svg);
		return path;
	});
}

function readKept(): Results {
	const path = join(root, kept.results);
	return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : {};
}

function write(path: string, text: string): void {
	const file = join(root, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
