import { gather } from './evidence.mts';
import { findBreaches, invariants } from './invariants.mts';
import { type Play, play } from './play.mts';
import { describeScenario, plainScenario, type Scenario, shortLatencyMs } from './scenario.mts';

/** A run that is in order, and what makes it one that is not. */
interface Spoiling {
	scenario?: Partial<Scenario>;
	spoil: (played: Play) => Partial<Play>;
}

const output = ({ result }: Play, items: Play['result']['output']) => ({
	result: { ...result, output: items },
});
const first = ({ result }: Play) => result.output[0];
const failure = (details: object) => ({ error: 'It failed', details: { ...details } });

const cut: Scenario['list'] = { returnAll: false, limit: 2, outputAs: 'items' };

/** How a broken node would look, by the invariant that has to notice. */
const spoilings: Record<keyof typeof invariants, Record<string, Spoiling>> = {
	everyItemComesOutOnce: {
		'an item is lost': { spoil: (played) => output(played, played.result.output.slice(1)) },
		'an item comes out twice': {
			spoil: (played) => output(played, [first(played), ...played.result.output]),
		},
		'the order is another': {
			spoil: (played) => output(played, played.result.output.toReversed()),
		},
		'a run stops without saying where': {
			spoil: ({ result }) => ({
				result: { ...result, output: [], status: 'error', error: new Error('It failed') },
			}),
		},
	},
	flawedItemsAreNotSent: {
		'something is sent that no item asks for': {
			spoil: ({ events }) => ({
				events: events.map((event) => ({ ...event, request: { ...event.request, body: {} } })),
			}),
		},
	},
	everyFailureNamesItsFault: {
		'a node fails of itself': {
			spoil: (played) =>
				output(played, [
					{ ...first(played), json: failure({ status: 500 }) },
					...played.result.output.slice(1),
				]),
		},
	},
	everyMessageIsClear: {
		'the whole answer is quoted': {
			spoil: (played) =>
				output(played, [{ ...first(played), json: { error: 'It failed '.repeat(500) } }]),
		},
		'an error was not expected': {
			spoil: ({ result }) => ({
				result: { ...result, status: 'error', error: new TypeError('x is not a function') },
			}),
		},
	},
	passingFaultsAreOvercome: {
		'a node fails always': {
			spoil: (played) =>
				output(
					played,
					played.result.output.map((item) => ({ ...item, json: failure({ status: 500 }) })),
				),
		},
	},
	timeIsBounded: {
		'it waits for nothing': { spoil: () => ({ elapsedMs: 60_000 }) },
	},
	readsAreExact: {
		'a record is missing': {
			scenario: { operation: 'person.getAll' },
			spoil: (played) => output(played, played.result.output.slice(1)),
		},
		'a record is another': {
			scenario: { operation: 'account.getActivity' },
			spoil: (played) =>
				output(played, [
					{ ...first(played), json: { activityId: null } },
					...played.result.output.slice(1),
				]),
		},
	},
	requestsAreBounded: {
		'a list is read again and again': {
			scenario: { operation: 'person.getAll' },
			spoil: ({ events }) => ({ events: Array.from({ length: 100 }, () => events[0]) }),
		},
		'a write is tried too often': {
			scenario: {
				maxRetries: 1,
				operation: 'account.update',
				tail: { kind: 'status', status: 500, done: false },
			},
			spoil: ({ events }) => ({ events: [...events, ...events] }),
		},
	},
	givingUpEndsTheTraffic: {
		'items are begun after the key was refused': {
			scenario: { concurrency: 1, latencyMs: 20 },
			spoil: ({ events: [refused, ...rest] }) => ({
				events: [{ ...refused, fault: { kind: 'status', status: 401, done: false } }, ...rest],
			}),
		},
	},
	retryAfterIsObeyed: {
		'a request goes out too early': {
			scenario: { script: [tooManyRequests()] },
			spoil: ({ events: [busy, ...rest] }) => ({
				events: [
					busy,
					...rest.map((event) => ({ ...event, startedAtMs: event.startedAtMs - 500 })),
				],
			}),
		},
		'the answer lets the next request go': {
			scenario: { script: [tooManyRequests()], items: [good(0)], latencyMs: shortLatencyMs },
			spoil: ({ events: [busy, next] }) => ({
				events: [busy, { ...next, startedAtMs: busy.endedAtMs ?? 0 }],
			}),
		},
	},
	rateLimitsAreWaitedFor: {
		'the first rate limit ends it': {
			scenario: { script: [tooManyRequests(), tooManyRequests()], items: [good(0)] },
			spoil: (played) => ({
				...output(played, [{ ...first(played), json: failure({ status: 429 }) }]),
				events: played.events.slice(0, 1),
			}),
		},
	},
	concurrencyIsKept: {
		'too many are under way': { spoil: () => ({ peakInFlight: 11 }) },
	},
	requestsPerSecondAreKept: {
		'two go out at once': {
			scenario: { requestsPerSecond: 2 },
			spoil: ({ events }) => ({
				events: events.map((event) => ({ ...event, startedAtMs: events[0].startedAtMs })),
			}),
		},
	},
	nothingIsWrittenTwice: {
		'the service did it twice': { spoil: ({ works }) => ({ works: [...works, ...works] }) },
		'it is sent again after it was confirmed': {
			scenario: { operation: 'audience.archive' },
			spoil: ({ events }) => ({ events: [...events, ...events] }),
		},
		'it is sent again after a lost answer': {
			scenario: { script: [{ kind: 'lost', code: 'ECONNRESET', done: false }] },
			spoil: ({ events }) => ({
				events: [...events, { ...events[0], fault: undefined, reply: { status: 201 } }],
			}),
		},
		'a Retry does it again': { spoil: ({ events }) => ({ earlier: events }) },
	},
	everySuccessHasItsId: {
		'a record has no ID': {
			spoil: (played) => output(played, [{ ...first(played), json: { name: 'Person 0' } }]),
		},
	},
	keysBelongToOneWrite: {
		'a key stands for two contents': {
			scenario: { operation: 'personLog.create, key auto' },
			spoil: ({ events }) => ({ events: events.map((event) => withKey(event, 'same')) }),
		},
		'a Retry gives the key to another content': {
			scenario: { operation: 'personLog.create, key auto', ending: 'random' },
			spoil: ({ events }) => ({
				earlier: events.map((event) => withOtherEnd(event)),
			}),
		},
		'a try has another key': {
			scenario: { operation: 'personLog.create, key auto' },
			spoil: ({ events }) => ({ events: [...events, withKey(events[0], 'other')] }),
		},
		'the key is missing': {
			scenario: { operation: 'personLog.create, key content' },
			spoil: ({ events }) => ({ events: events.map((event) => withKey(event, undefined)) }),
		},
	},
	successesAreReal: {
		'it comes out and was not written': { spoil: () => ({ works: [] }) },
		'it was written and comes out as a failure': {
			spoil: (played) =>
				output(
					played,
					played.result.output.map((item) => ({ ...item, json: failure({ status: 500 }) })),
				),
		},
		'the record is that of another item': {
			spoil: (played) =>
				output(
					played,
					played.result.output.map((item) => ({ ...item, json: first(played).json })),
				),
		},
	},
	totalsAreThoseOfTheirItems: {
		'the total is another': {
			scenario: { operation: 'person.getAll', list: cut },
			spoil: hinting('The list has 31 records in total.'),
		},
		'the total is that of another item': {
			scenario: { operation: 'audience.getAll', list: cut },
			spoil: hinting('The list has 15 records in total [items 0 and 1, counted from 0].'),
		},
	},
	moreMessagesAreLikeThese: {
		'more are counted than there are': {
			spoil: hinting('Something is odd. (And 2 more messages like this.)'),
		},
	},
	waitsAreMeasured: {
		'it did not wait so long': {
			scenario: { script: [tooManyRequests()] },
			spoil: hinting('Waited 20 seconds for the rate limit'),
		},
	},
	progressIsCounted: {
		'another number was written': { spoil: stopping('It failed. 3 of 4 items were written') },
	},
	doubtIsTold: {
		'it was written and is told as not done': {
			scenario: { script: [{ kind: 'lost', code: 'ECONNRESET', done: true }] },
			spoil: (played) =>
				output(played, [
					{ ...first(played), json: failure({ code: 'ECONNRESET', maybeDone: false }) },
					...played.result.output.slice(1),
				]),
		},
		'a refusal is told as in doubt': {
			scenario: { script: [{ kind: 'status', status: 400, done: false }] },
			spoil: (played) =>
				output(played, [
					{ ...first(played), json: failure({ status: 400, maybeDone: true }) },
					...played.result.output.slice(1),
				]),
		},
	},
};

function hinting(...hints: string[]): Spoiling['spoil'] {
	return ({ result }) => ({ result: { ...result, hints } });
}

function stopping(message: string): Spoiling['spoil'] {
	return ({ result }) => ({ result: { ...result, status: 'error', error: new Error(message) } });
}

function good(number: number) {
	return { number, flaw: 'none' as const };
}

function tooManyRequests(): Scenario['script'][number] {
	return {
		kind: 'status',
		status: 429,
		retryAfter: { seconds: 2, form: 'seconds' },
		done: false,
	};
}

function withKey(event: Play['events'][number], idempotencyKey: string | undefined) {
	const body = { ...(event.request.body as object), idempotencyKey };
	return { ...event, request: { ...event.request, body } };
}

/** As another evaluation would have made its text. */
function withOtherEnd(event: Play['events'][number]) {
	const { payload, ...body } = event.request.body as { payload: { text: string } };
	const changed = { ...body, payload: { ...payload, text: `${payload.text}1` } };
	return { ...event, request: { ...event.request, body: changed } };
}

test('every invariant is one that a broken node breaks', () => {
	expect(Object.keys(spoilings).sort()).toEqual(Object.keys(invariants).sort());
});

describe.each(Object.entries(spoilings))('%s', (name, cases) => {
	test.each(Object.entries(cases))('notices when %s', async (_, { scenario, spoil }) => {
		const [played] = await play({ ...plainScenario, items: [0, 1, 2, 3].map(good), ...scenario });
		const breaches = (each: Play) => findBreaches(gather(each)).map(([breached]) => breached);
		expect(breaches(played)).not.toContain(name);
		expect(breaches({ ...played, ...spoil(played) })).toContain(name);
	});
});

test('a scenario can be read', () => {
	expect(describeScenario({ ...plainScenario, script: [undefined, tooManyRequests()] })).toBe(`
  person.create, items 0
  On Error continueRegularOutput, Retry On Fail off, Max Retries 3, Concurrency 10
  service: a repeated key: conflict
  latency 0 ms; faults: request 2: 429 (Retry-After 2 s, as seconds)
`);
});
