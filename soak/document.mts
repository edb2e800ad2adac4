import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeTable } from '../tools/docs/markdown.mts';
import { root } from '../tools/root.mts';
import { drawSeries } from './pictures.mts';
import { type Report, rowsOf } from './report.mts';

const page = 'docs/soak.md';
const picture = 'docs/images/soak-series.svg';
const place = /(?<=<!-- measured -->\n)[^]*(?=<!-- measured end -->)/;

/** Puts the results of a full run into the documentation. */
export async function documentRun(report: Report, setting: string): Promise<void> {
	const { work, verdicts } = report;
	write(picture, await drawSeries(verdicts, setting));
	const measured = [
		`Measured on ${setting}.`,
		writeTable(['Work', 'What', 'Count'], work),
		writeTable(['', 'Middle third', 'Last third', 'Unit', 'Measurements', ''], rowsOf(verdicts)),
		'![Each measurement over the run](images/soak-series.svg)',
	].join('\n\n');
	const text = readFileSync(join(root, page), 'utf8');
	if (!place.test(text)) throw new Error(`${page} has no place for the results`);
	write(
		page,
		text.replace(place, () => `\n${measured}\n\n`),
	);
}

function write(path: string, text: string): void {
	mkdirSync(dirname(join(root, path)), { recursive: true });
	writeFileSync(join(root, path), text);
}
