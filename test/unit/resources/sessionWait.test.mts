import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { getByFormSubmission } from '../../../nodes/PageAudience/resources/audienceSession/getByFormSubmission.operation.ts';
import { path } from '../../../nodes/api/path.ts';
import { generated, withinMs } from '../../generated.mts';

/*
 * What must hold: if the event has the ID of a submission, and a session gets that ID within the wait, the node returns
 * that session as soon as it has the ID, and no other. Only if none gets it, the node returns a session by another ID,
 * at the end of the wait, and says by which.
 */

/** The readings of a wait of four seconds. */
const readings = 3;
const never = readings;

type Kind = 'form' | 'own' | 'visit';
const kinds: Kind[] = ['form', 'own', 'visit'];
const fields = {
	form: 'formSubmissionId',
	own: 'audienceSessionId',
	visit: 'analyticsSessionId',
} as const;
const names = {
	form: ['submission'],
	own: ['audience', 'session'],
	visit: ['analytics', 'session'],
};

/** How the service makes IDs. The short numbers of one kind are also IDs of another kind. */
const makers = {
	number: (_: Kind, n: number) => String(n),
	short: (kind: Kind, n: number) => `${kind[0]}_${n}`,
	long: (kind: Kind, n: number) => `${kind}_0123456789_${n}`,
	longNumber: (kind: Kind, n: number) => String(10_000_000 * (kinds.indexOf(kind) + 1) + n),
};

type Id = string | number;

const capitalize = (word: string) => word[0].toUpperCase() + word.slice(1);
const styles: Array<(words: string[], id: Id) => IDataObject> = [
	(words, id) => ({ [words[0] + words.slice(1).map(capitalize).join('') + 'Id']: id }),
	(words, id) => ({ [[...words, 'id'].map(capitalize).join('')]: id }),
	(words, id) => ({ [[...words, 'id'].join('_')]: id }),
	(words, id) => ({ [[...words, 'ID'].join('-').toUpperCase()]: id }),
	(words, id) => ({ [[...words, 'id'].join('.')]: id }),
	(words, id) => ({ [[...words, 'ID'].map(capitalize).join(' ')]: id }),
	(words, id) => ({ [words.join('_')]: { id } }),
	(words, id) => ({ [`${words.join('')}s`]: [{ more: 'x', Id: id }] }),
	(words, id) => ({ [`${words.join('_')}_ids`]: [id] }),
	(words, id) => ({ [`my${[...words, 'id'].map(capitalize).join('')}`]: id }),
];

/** Without a name that says what the ID is. Only for long IDs. */
const plainStyles: Array<(id: Id) => IDataObject> = [
	(id) => ({ id }),
	(id) => ({ reference: [id] }),
	(id) => ({ value: { key: id } }),
];

const wrappers: Array<(inner: IDataObject) => IDataObject> = [
	(inner) => inner,
	(inner) => ({ body: { event: 'form', data: inner } }),
	(inner) => ({ rows: [[inner], 17] }),
	(inner) => ({ body: { deep: [{ deeper: { inner } }] } }),
];

const mention = fc.record({
	kind: fc.constantFrom(...kinds),
	style: fc.nat(styles.length - 1),
	plain: fc.boolean(),
	wrapper: fc.nat(wrappers.length - 1),
	prefix: fc.boolean(),
	form: fc.constantFrom('text', 'number', 'spaces'),
});

const scene = fc.record({
	maker: fc.constantFrom(...(Object.keys(makers) as Array<keyof typeof makers>)),
	// Numbers that no two sessions share.
	forms: fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }),
	owns: fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }),
	sessions: fc.array(
		fc.record({
			visit: fc.integer({ min: 1, max: 3 }),
			appears: fc.nat(never),
			fills: fc.nat(never),
			unfilled: fc.constantFrom('', null, undefined),
			asNumber: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	starts: fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }),
	orders: fc.array(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), {
		minLength: readings,
		maxLength: readings,
	}),
	mentions: fc.array(mention, { maxLength: 3 }),
	first: mention,
	hasForm: fc.boolean(),
	noise: fc.subarray<IDataObject>([
		{ n: 1, text: '2', more: ['3', 4] },
		{ email: 'ada@example.com', page: 'page_0123456789' },
		{ nothing: null, is: true, empty: '' },
		{ id: 5, name: 'f_2', session: 'o_1', submission: '3' },
	]),
});
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** The first session is the one that the event is about. */
function play(all: Scene) {
	const { maker, sessions, forms, owns, starts, orders } = all;
	const ids = sessions.map(({ visit }, i) => ({
		form: makers[maker]('form', forms[i]),
		own: makers[maker]('own', owns[i]),
		visit: makers[maker]('visit', visit),
	}));
	const mentions = [
		...(all.hasForm ? [{ ...all.first, kind: 'form' as Kind }] : []),
		...all.mentions,
	];
	const isPlain = ({ plain }: { plain: boolean }) =>
		plain && (maker === 'long' || maker === 'longNumber');
	const json: IDataObject = {};
	for (const [i, each] of mentions.entries()) {
		const { kind, style, wrapper, prefix, form } = each;
		const text = ids[0][kind];
		const isNumber = form === 'number' && Number.isSafeInteger(Number(text));
		const id = isNumber ? Number(text) : form === 'spaces' ? ` ${text}\n` : text;
		const words = kind === 'form' && prefix ? ['form', 'submission'] : names[kind];
		json[`part${i}`] = wrappers[wrapper](
			isPlain(each) ? plainStyles[style % plainStyles.length](id) : styles[style](words, id),
		);
	}
	for (const [i, each] of all.noise.entries()) json[`noise${i}`] = each;
	const isFilled = (i: number, reading: number) =>
		reading >= Math.max(sessions[i].appears, sessions[i].fills);
	const lists = orders.map((order, reading) =>
		order
			.filter((i) => i < sessions.length && reading >= sessions[i].appears)
			.map((i): IDataObject => {
				const write = (text: string) =>
					sessions[i].asNumber && Number.isSafeInteger(Number(text)) ? Number(text) : text;
				return {
					audienceSessionId: write(ids[i].own),
					analyticsSessionId: write(ids[i].visit),
					formSubmissionId: isFilled(i, reading) ? write(ids[i].form) : sessions[i].unfilled,
					sessionStartedAt: `2026-03-0${starts[i]}T10:00:00.000Z`,
					who: i,
				};
			}),
	);
	const has = (kind: Kind) => mentions.some((each) => each.kind === kind);
	/** Whether no text but the ID of the session itself can be that of the submission. */
	const isOwnOnly =
		!has('form') &&
		has('own') &&
		!mentions.some((each) => each.kind === 'visit' && isPlain(each)) &&
		!all.noise.some(({ email }) => email);
	return { json, lists, isFilled, has, isOwnOnly };
}

interface Outcome {
	who?: unknown;
	foundBy?: unknown;
	read: number;
}

/** What must come out, found by other means than the code's. */
function expectOutcome(
	{ sessions, starts }: Scene,
	{ has, isFilled, isOwnOnly }: ReturnType<typeof play>,
): Outcome {
	const turns = [...Array(readings).keys()];
	const filledAt = turns.find((turn) => isFilled(0, turn));
	if (filledAt !== undefined && (has('form') || isOwnOnly))
		return { who: 0, foundBy: has('form') ? fields.form : fields.own, read: filledAt + 1 };
	const visible = [...sessions.keys()].filter((i) => sessions[i].appears < never);
	if (has('own') && visible.includes(0)) return { who: 0, foundBy: fields.own, read: readings };
	const [newest] = visible
		.filter((i) => has('visit') && sessions[i].visit === sessions[0].visit)
		.sort((one, other) => starts[other] - starts[one]);
	if (newest !== undefined) return { who: newest, foundBy: fields.visit, read: readings };
	return { read: readings };
}

async function look(json: IDataObject, lists: IDataObject[][]): Promise<Outcome> {
	let read = 0;
	const call = {
		once: (_: string, make: () => unknown) => make(),
		wait: async () => {},
		openList: () => ({ readAll: async () => lists[read++] }),
	};
	const values = { searchIn: 'item', options: { waitUpToSeconds: 4 } };
	const request = { method: 'GET' as const, path: path`/sessions` };
	const [found = {}] =
		(await getByFormSubmission.read?.(values, call as never, { json, request })) ?? [];
	return { ...(found.found && { who: found.who, foundBy: found.foundBy }), read };
}

const runs = generated(5_000);
test(
	'returns the session that gets the submission, and another one only at the end',
	async () => {
		const outcomes: Record<string, number> = {};
		await fc.assert(
			fc.asyncProperty(scene, async (each) => {
				const played = play(each);
				const wanted = expectOutcome(each, played);
				expect(await look(played.json, played.lists)).toEqual(wanted);
				const outcome = `${String(wanted.foundBy)} at ${wanted.read}`;
				outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
			}),
			runs,
		);
		const seen = ['formSubmissionId at 1', 'formSubmissionId at 2', 'formSubmissionId at 3'];
		seen.push('audienceSessionId at 1', 'audienceSessionId at 3', 'analyticsSessionId at 3');
		for (const outcome of [...seen, 'undefined at 3'])
			expect(outcomes[outcome]).toBeGreaterThan(runs.numRuns / 500);
	},
	withinMs(runs),
);
