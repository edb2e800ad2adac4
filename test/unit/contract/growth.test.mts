import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { measure, mostGrowth } from '../growth.mts';
import { listTextFunctions, type TextFunction } from './textFunctions.mts';

/*
 * What must hold: whoever writes a text that reaches the nodes, such as a visitor who fills in a form, cannot make n8n
 * stand still with it. So ten times as long a text takes about ten times as long, and not a hundred times.
 */

const short = [5_000, 50_000];
const lengths = [10_000, 100_000, 1_000_000];

/** What the patterns and loops of `nodes/` look for, to be repeated. */
const pieces = [
	...'\\"\' .@&%1=a-/<+?#:[{,\n',
	...[
		'\\u00',
		'\\u0061',
		'%25',
		'%61',
		'&amp;',
		'&#0',
		'\\"',
		'a.',
		'a1',
		'1,',
		'</script',
		'<!--',
	],
	...['\u0301', '\u0301\u0316', '\ud83d', '😀', '\u0130', 'https://', '?token=', '%26'],
];

/** What makes some of them look further. */
const starts = ['', '+1', '-1', 'a@', 'https://a.b/', '{"', '<script', '2026-01-01T00:00:00.0'];

/** What makes them look again. */
const end = '\0!';

/** What grows too much takes longer than this in the end, on any machine. What takes less cannot be measured. */
const shortestMs = 100;

/**
 * Whether a text ten times as long can tell more: not if even a hundred times as long a time is too short to be
 * measured, and not if the growth up to here was measured well.
 */
const canTell = (ms: number) => 100 * ms > shortestMs && ms < shortestMs;

/** For twice the text, linear work takes twice as long, and quadratic work four times. */
const mostOfTwice = 3;

const isTooMuch = (ms: number, before: number) =>
	ms > shortestMs && ms / Math.max(before, 0.01) > mostGrowth;

/** @returns the text that takes too long, if one does */
async function findGrowth(
	{ name, prepare }: TextFunction,
	start: string,
	piece: string,
	some = lengths,
) {
	const timeOf = async (length: number, runs: number) =>
		measure(await prepare(start + piece.repeat(length / piece.length) + end), runs);
	let before = 0;
	for (const length of some) {
		let ms = await timeOf(length, 1);
		if (isTooMuch(ms, before)) {
			// A busy machine, or a length from which memory is fetched in another way, raises one of these times.
			ms = await timeOf(length, 3);
			const half = await timeOf(length / 2, 3);
			const quarter = await timeOf(length / 4, 3);
			if (ms > shortestMs && Math.min(ms / half, half / quarter) > mostOfTwice)
				return `${name}: ${JSON.stringify(start)} and ${length} characters of ${JSON.stringify(piece)}`;
		}
		if (!canTell(ms)) break;
		before = ms;
	}
	return undefined;
}

const functions = listTextFunctions();

describe('linear time', () => {
	test.each(functions)('is all that $name takes', async (each) => {
		for (const piece of pieces) expect(await findGrowth(each, '', piece, short)).toBeUndefined();
	});

	test.each([
		['delivery/redaction.ts redactText', '', '\\'],
		['resources/domain.ts toDomain', 'a', '.'],
		['resources/identity.ts toCanonical', 'https://linkedin.com/in', '/'],
		['resources/identity.ts toCanonical', 'a', '\u0301\u0316'],
	])('is all that %s takes for %j and many %j', async (name, start, piece) => {
		const found = functions.filter((each) => each.name.endsWith(name));
		expect(found).toHaveLength(1);
		for (const each of found) expect(await findGrowth(each, start, piece)).toBeUndefined();
	});

	const runs = generated(50);
	test(
		'is all that any of them takes for a text with a beginning',
		async () => {
			const piece = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 });
			await fc.assert(
				fc.asyncProperty(
					fc.constantFrom(...functions),
					fc.constantFrom(...starts),
					piece.map((some) => some.join('')),
					async (...scene) => expect(await findGrowth(...scene)).toBeUndefined(),
				),
				{ ...runs, endOnFailure: true },
			);
		},
		withinMs(runs),
	);
});

test('the functions that read texts of strangers are found', () => {
	const names = functions.map(({ name }) => name.split(' ')[1]);
	expect(names).toEqual(
		expect.arrayContaining([
			...['redact', 'redactText', 'readServiceText', 'toItems', 'cleanHeaders'],
			...['makeDeliveryKey', 'recognizeKind', 'toCanonical'],
			...['toDomain', 'toCanonicalDomain', 'shortenUrls'],
			...['readAllowance', 'readRetryAfter', 'isSameUrl', 'readDate', 'parseBaseUrl', 'toPerson'],
		]),
	);
});
