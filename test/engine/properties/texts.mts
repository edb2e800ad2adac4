import fc from 'fast-check';

/** Text of one script or kind, again and again up to so many UTF-16 units. */
export interface Filling {
	kind: keyof typeof samples;
	size: number;
}

/** Without "~", "@" and quotes, by which an end that changes is found again. */
const samples = {
	latin: 'Grüße an Zoë, ',
	cyrillic: 'Привет, ',
	arabic: 'مرحبا بالعالم ',
	devanagari: 'नमस्ते ',
	han: '漢字、仮名。',
	emoji: '👩‍👩‍👧🏽🏴󠁧󠁢󠁳󠁣󠁴󠁿',
	combining: 'e\u0301\u0323A\u030a',
	controls: '\u0000\u0007\t\r\n\u2028\u200f\ufeff ',
	markup: '<b>&amp;{{ $json.number }} =1\\u0041%2F',
	halves: '\udc00x\ud800',
};

/** Inside of a text that begins and ends with a letter. */
export function fill({ kind, size }: Filling): string {
	const sample = samples[kind];
	return sample.repeat(Math.ceil(size / sample.length));
}

export const filling: fc.Arbitrary<Filling> = fc.record({
	kind: fc.constantFrom(...(Object.keys(samples) as Array<keyof typeof samples>)),
	size: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 8, arbitrary: fc.integer({ min: 1, max: 300 }) },
		{ weight: 1, arbitrary: fc.constantFrom(5_000, 100_000) },
	),
});

/** What each evaluation of an expression adds to a text. */
export const endings = {
	none: undefined,
	random: 'Math.random()',
	time: '$now.toMillis() + "." + Math.random()',
};

export type Ending = keyof typeof endings;

/**
 * Ends texts of a workflow with what changes between two evaluations, and between two versions of the workflow.
 * @param correction 0 is the workflow as it was first
 * @returns an expression's text without its braces; undefined where nothing is added
 */
export function writeEnd(ending: Ending, correction: number): string | undefined {
	const parts = [endings[ending], correction > 0 ? `"corrected${correction}"` : undefined];
	const given = parts.filter((part) => part !== undefined);
	return given.length === 0 ? undefined : `"~" + ${given.map((part) => `(${part})`).join(' + ')}`;
}

/** What was sent, without the ends that `writeEnd` added. */
export function withoutEnds<T>(body: T): T {
	return JSON.parse(JSON.stringify(body).replace(/~[\w.+-]*(?=[@"])/g, '')) as T;
}
