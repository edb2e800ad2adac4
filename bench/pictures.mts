import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Ratio, SizePoint } from './subject.mts';

const width = 520;
export const colors = { met: '#2f7d6b', missed: '#c0392b', goal: '#333333' };
export const config: TopLevelSpec['config'] = {
	background: 'white',
	lineBreak: '\n',
	font: 'sans-serif',
	axis: { labelLimit: 0, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' },
	title: { fontSize: 15, subtitleFontSize: 12, anchor: 'start', offset: 12 },
	legend: { orient: 'bottom', labelLimit: 0, labelFontSize: 12, title: null },
};

/** The ratios side by side, each with its goal. Returns an SVG. */
export async function drawRatios(ratios: Ratio[], subtitle: string[]): Promise<string> {
	const values = ratios.map(({ subject, side, against, ratio, atMost }) => ({
		what: groupThousands(`${subject}\n${side} / ${against}`),
		ratio,
		atMost,
		text: ratio.toFixed(2),
		// Beyond the goal's mark, which would cross it out.
		textAt: Math.max(ratio, atMost),
		result: ratio <= atMost ? 'Goal met' : 'Goal missed',
	}));
	return await draw({
		config,
		title: { text: 'Measured ratios. The dark mark is the goal', subtitle },
		data: { values },
		width,
		height: { step: 38 },
		encoding: {
			y: {
				field: 'what',
				type: 'nominal',
				sort: null,
				axis: { title: null, ticks: false, labelPadding: 8 },
			},
		},
		layer: [
			{
				mark: { type: 'bar', height: 16 },
				encoding: {
					x: { field: 'ratio', type: 'quantitative', axis: { title: 'Ratio: less is better' } },
					color: {
						field: 'result',
						type: 'nominal',
						scale: { domain: ['Goal met', 'Goal missed'], range: [colors.met, colors.missed] },
					},
				},
			},
			{
				mark: { type: 'text', align: 'left', dx: 5, fontSize: 12 },
				encoding: { x: { field: 'textAt', type: 'quantitative' }, text: { field: 'text' } },
			},
			{
				mark: { type: 'tick', thickness: 2, height: 26, color: colors.goal },
				encoding: { x: { field: 'atMost', type: 'quantitative' } },
			},
		],
	});
}

/** Time and memory over the number of items. Returns an SVG. */
export async function drawSizes(points: SizePoint[], subtitle: string[]): Promise<string> {
	const works = [...new Set(points.map(({ work }) => work))];
	const panel = (work: string, field: 'seconds' | 'megabytes', title: string) => ({
		title: { text: work, fontSize: 13, offset: 8, frame: 'group' },
		width: 300,
		height: 170,
		data: { values: points.filter((point) => point.work === work) },
		mark: { type: 'line' as const, point: { size: 60, color: colors.met }, color: colors.met },
		encoding: {
			x: {
				field: 'items',
				type: 'quantitative' as const,
				axis: { title: 'Items in one execution', format: ',d', tickCount: 4 },
			},
			y: { field, type: 'quantitative' as const, axis: { title, format: ',d', tickCount: 5 } },
		},
	});
	return await draw({
		config,
		title: { text: 'Time and memory over the number of items', subtitle },
		columns: 2,
		align: 'all',
		concat: works.flatMap((work) => [
			panel(work, 'seconds', 'Seconds'),
			panel(work, 'megabytes', 'MB added to n8n'),
		]),
	});
}

const groupThousands = (text: string): string =>
	text.replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString('en-US'));

/** Returns an SVG. */
export async function draw(spec: TopLevelSpec): Promise<string> {
	const view = new View(parse(compile(spec).spec), { renderer: 'none' });
	try {
		return `${await view.toSVG()}\n`;
	} finally {
		view.finalize();
	}
}
