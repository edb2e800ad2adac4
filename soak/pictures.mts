import { colors, config, draw } from '../bench/pictures.mts';
import { median, type Series } from './judge.mts';

const width = 300;
const height = 150;
/** More points would only make the file larger. */
const mostPoints = 200;

/** Each series over its course, from zero. Returns an SVG. */
export async function drawSeries(all: Series[], subtitle: string): Promise<string> {
	return await draw({
		config,
		title: { text: 'What was measured, from the beginning to the end', subtitle },
		columns: 2,
		align: 'all',
		concat: all.map(({ name, unit, values }) => ({
			title: { text: name, fontSize: 13, offset: 8, frame: 'group' as const },
			width,
			height,
			data: { values: thin(values) },
			mark: { type: 'line' as const, color: colors.met },
			encoding: {
				x: {
					field: 'number',
					type: 'quantitative' as const,
					axis: { title: 'Measurement', format: ',d', tickCount: 4 },
				},
				y: {
					field: 'value',
					type: 'quantitative' as const,
					axis: { title: unit || 'Count', tickCount: 5 },
				},
			},
		})),
	});
}

/** The medians of as many stretches as the picture shows. */
function thin(values: number[]): Array<{ number: number; value: number }> {
	const size = Math.ceil(values.length / mostPoints);
	return Array.from({ length: Math.ceil(values.length / size) }, (_, n) => ({
		number: n * size + 1,
		value: median(values.slice(n * size, (n + 1) * size)),
	}));
}
