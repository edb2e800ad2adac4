import type { IDataObject } from 'n8n-workflow';
import { startLimit } from '../../../nodes/api/paginate.ts';
import { events, type PolledEvent } from '../../../nodes/PageAudiencePollingTrigger/events.ts';
import { findNew } from '../../../nodes/PageAudiencePollingTrigger/findNew.ts';
import type { PolledList } from '../../../nodes/PageAudiencePollingTrigger/list.ts';
import { beginState, type ListState } from '../../../nodes/PageAudiencePollingTrigger/scan.ts';
import type {
	EventName,
	ListSettings,
	PollSettings,
} from '../../../nodes/PageAudiencePollingTrigger/settings.ts';
import { failure, respond } from '../api/responding.mts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startOfTime = Date.parse('2026-01-05T09:00:00.000Z');
const at = (hours: number) => new Date(startOfTime + hours * hourMs).toISOString();

/** What a list is asked with, unless a test says otherwise. */
const usual = {
	...{ pageId: 'page_1', accountId: 'account', flags: {} },
	...{ interactionFields: [], onlyFields: [], lookBackMs: 48 * hourMs, concurrency: 1 },
};

interface Poll {
	/** How many requests are responded to before its time is over. */
	inTime?: number;
	/** What comes in place of each page. */
	instead?: unknown;
	key?: string;
	/** Whose records the key reads. */
	tenant?: string;
	settings?: Partial<PollSettings>;
}

/** A list that is polled once a minute. */
class Polls {
	readonly warnings: string[] = [];
	readonly #event: PolledEvent;
	readonly #settings: ListSettings;
	#state?: ListState;
	#now = startOfTime;

	constructor(event: EventName, settings: Partial<PollSettings> = {}) {
		this.#event = events[event];
		this.#settings = { ...usual, ...settings } as ListSettings;
	}

	/** @returns what is new in the list with these pages */
	async poll(pages: IDataObject[][], poll: Poll = {}): Promise<IDataObject[]> {
		Object.assign(this.#settings, poll.settings);
		const list = this.#open(pages, poll);
		this.#state ??= beginState(list, this.#now);
		// As through n8n's database.
		const state = JSON.parse(JSON.stringify(this.#state)) as ListState;
		const { found, warning, ...next } = await findNew(list, state, this.#now);
		this.#state = next.state;
		this.#now += minuteMs;
		if (warning) this.warnings.push(warning);
		return found.map(({ record: { tenantId: _, ...record }, changedFields }) =>
			changedFields === undefined ? record : { ...record, changedFields },
		);
	}

	#open(pages: IDataObject[][], { inTime = Infinity, key = 'own', ...poll }: Poll): PolledList {
		const settings = this.#settings;
		const event = this.#event;
		const tenantId = 'tenant' in poll ? poll.tenant : 'tenant';
		const over = new AbortController();
		let sent = 0;
		const send: PolledList['send'] = async ({ path, query = {} }) => {
			if (sent++ === inTime) over.abort(new Error('The time is over'));
			over.signal.throwIfAborted();
			if (poll.instead instanceof Error) throw poll.instead;
			const position = Number(query.cursor ?? query.offset ?? 0);
			const hasMore = position < pages.length - 1;
			const items = pages[position]?.map((each) => ({ ...each, tenantId }));
			const list = poll.instead ?? { items, hasMore, nextCursor: `${position + 1}` };
			const isList = !path.endsWith('/interactions');
			const body = isList ? list : { found: true, interactions: [] };
			return await Promise.resolve(respond({ body }));
		};
		return {
			...{ event, settings, send, scope: 'scope', apiKeyHash: key, baseUrl: 'https://api.example' },
			comparedFields: event.tellsChanges ? settings.onlyFields : undefined,
			deadline: { budgetMs: minuteMs, endsAt: performance.now() + minuteMs, signal: over.signal },
			accepted: startLimit(Infinity),
		};
	}
}

const session = (audienceSessionId: string, more: IDataObject = {}) => ({
	audienceSessionId,
	...more,
});
/** Of one session. Without an ID: the service assigns it later. */
const [unnamed, form1, form2, form3] = ['', 'form 1', 'form 2', 'form 3'].map((formSubmissionId) =>
	session('a', { formSubmissionId, hasFormSubmit: true }),
);
const anonymous = ['form 1', 'form 2'].map((formSubmissionId) => ({ formSubmissionId }));
const unsubmitted = session('a', { formSubmissionId: '', hasFormSubmit: false });
const recent = session('recent', { sessionStartedAt: at(-1) });
const undated = session('undated', { sessionStartedAt: 'soon' });
const old = session('old', { sessionStartedAt: at(-49) });
const [ada, bea, cleo, dora] = ['Ada', 'Bea', 'Cleo', 'Dora'].map((name) => ({
	personId: name.toLowerCase(),
	name,
	email: 'a@a.example',
}));
const bella = { ...bea, name: 'Bella' };
const [call, mail, visit] = ['call', 'mail', 'visit'].map((type) => ({ type, activityId: ' ' }));

/* What happens in any order is in test/engine/polling/histories.test.mts. */

/** Each list is what the service shows at one poll, the first one at publishing. */
test.each<[what: string, event: EventName, lists: IDataObject[][], found: IDataObject[][]]>([
	[
		'a submission in a known session, and a further one',
		'formSubmission',
		[[unsubmitted], [unsubmitted], [form1], [form1], [form2]],
		[[], [form1], [], [form2]],
	],
	[
		'a submission that gets its ID later, and further ones',
		'formSubmission',
		[[], [unnamed], [{ ...unnamed, isBounce: true }], [form1], [form2], [form1], [form3]],
		[[unnamed], [], [], [form2], [], [form3]],
	],
	[
		'submissions in sessions without an ID',
		'formSubmission',
		[[], anonymous, anonymous],
		[anonymous, []],
	],
	[
		'a second submission whose ID comes later, too',
		'formSubmission',
		[[], [unnamed], [form1], [unnamed], [form2]],
		[[unnamed], [], [], [form2]],
	],
	[
		'no submission whose ID is missing again, as from a replica that is behind',
		'formSubmission',
		[[form1], [unnamed], [form1], [unnamed], [form2]],
		[[], [], [], [form2]],
	],
	[
		'sessions, also with a date that cannot be read',
		'newSession',
		[[], [recent, undated]],
		[[recent, undated]],
	],
	[
		'no session from before the look-back, which the service computed anew',
		'changedSession',
		[[], [old], [{ ...old, computationStatus: 'done' }]],
		[[], []],
	],
	['a record that a growing list shows twice once', 'newPerson', [[], [ada, ada]], [[ada]]],
	[
		'entries without an ID by their content',
		'accountActivity',
		[[call], [call, mail, visit], [visit, mail, call]],
		[[mail, visit], []],
	],
])('finds %s', async (_, event, [stock, ...lists], found) => {
	const polls = new Polls(event);
	expect(await polls.poll([stock])).toEqual([]);
	for (const [n, list] of lists.entries()) expect(await polls.poll([list])).toEqual(found[n]);
});

test.each<[EventName, date: string]>([
	['newSession', 'sessionStartedAt'],
	['newPerson', 'createdAt'],
	['changedPerson', 'updatedAt'],
])('starts from a date (%s, %s)', async (event, name) => {
	const date = startOfTime - 60 * hourMs;
	const records = [-61, -60, -1].map((hours) => {
		const ids = { audienceSessionId: `${hours}`, personId: `${hours}` };
		return { ...ids, createdAt: at(-90), [name]: at(hours) };
	});
	const polls = new Polls(event, { existingSince: date });
	expect(await polls.poll([records])).toEqual(records.slice(1));
	expect(await polls.poll([records])).toEqual([]);
});

test('reads no farther back than before when Look Back grows', async () => {
	const polls = new Polls('newSession', { lookBackMs: hourMs });
	const earlier = session('earlier', { sessionStartedAt: at(-2) });
	await polls.poll([[recent]]);
	const settings = { lookBackMs: 48 * hourMs };
	expect(await polls.poll([[recent, earlier]], { settings })).toEqual([]);
});

test('sessions whose interactions there was no time for stay new', async () => {
	const interactionFields = ['interactions'];
	const polls = new Polls('newSession', { existingSince: 0, interactionFields });
	const sessions = ['a', 'b', 'c'].map((id) => session(id));
	expect(await polls.poll([sessions], { inTime: 3 })).toEqual(sessions.slice(0, 2));
	expect(await polls.poll([sessions])).toEqual(sessions.slice(2));
	await expect(polls.poll([[session('d')]], { inTime: 1 })).rejects.toThrow('The time is over');
});

/** In one that began in the poll before. */
test.each<[what: unknown, instead: unknown]>([
	...[400, 401, 403, 404, 409, 410, 422, 500].map((status): [number, Error] => [
		status,
		failure({ status }),
	]),
	['ECONNRESET', failure({ code: 'ECONNRESET' })],
	['no response', new Error('The service took longer to respond than a poll may take')],
	['an empty page', { items: [], hasMore: false, nextCursor: null }],
	['something else', 'Sign in'],
])('after %s at its place, a list starts again', async (_, instead) => {
	const polls = new Polls('newSession', { existingSince: 0 });
	const sessions = ['a', 'b', 'c'].map((id) => session(id, { sessionStartedAt: at(-60) }));
	const pages = sessions.map((each) => [each]);
	expect(await polls.poll(pages, { inTime: 1 })).toEqual(sessions.slice(0, 1));
	expect(await polls.poll(pages, { instead })).toEqual([]);
	expect(await polls.poll(pages)).toEqual(sessions.slice(1));
});

describe('with another API key', () => {
	const key = 'other';
	const tenant = 'other tenant';
	const told = [expect.stringContaining('The new API key reads other data')];

	test.each([tenant, undefined])('of the tenant %s, the list is only noted', async (other) => {
		const polls = new Polls('changedPerson');
		await polls.poll([[ada]]);
		const again = { key, tenant: other };
		for (let n = 0; n < 2; n++) expect(await polls.poll([[ada, bea, cleo]], again)).toEqual([]);
		expect(await polls.poll([[bella, cleo, dora]], again)).toEqual([bella, dora]);
		expect(polls.warnings).toEqual(told);
	});

	test('the tenant is told once somebody is there', async () => {
		const polls = new Polls('newPerson');
		await polls.poll([[]]);
		expect(await polls.poll([[ada]])).toEqual([ada]);
		for (const list of [[], []]) expect(await polls.poll([list], { key })).toEqual([]);
		expect(await polls.poll([[ada, bea]], { key })).toEqual([bea]);
		expect(polls.warnings).toEqual([]);
	});

	test('who comes where nobody was listed with the key before is new', async () => {
		const polls = new Polls('newPerson');
		await polls.poll([[ada]]);
		expect(await polls.poll([[]], { key, tenant })).toEqual([]);
		expect(await polls.poll([[bea]], { key, tenant })).toEqual([bea]);
		expect(await polls.poll([[bea, cleo]], { key, tenant })).toEqual([cleo]);
		expect(polls.warnings).toEqual(told);
	});

	test('a long list of another tenant is noted anew', async () => {
		const polls = new Polls('newPerson');
		await polls.poll([[ada]]);
		const pages = [[bea], [cleo]];
		for (const inTime of [1, 1, 1])
			expect(await polls.poll(pages, { key, tenant, inTime })).toEqual([]);
		expect(await polls.poll([[dora], ...pages], { key, tenant })).toEqual([dora]);
		expect(polls.warnings).toEqual(told);
	});
});

test('Fields to Watch count, and another choice counts nothing as changed', async () => {
	const polls = new Polls('changedPerson', { onlyFields: ['name'] });
	const moved = { ...ada, email: 'b@b.example' };
	await polls.poll([[ada, bea]]);
	expect(await polls.poll([[moved, bella, cleo]])).toEqual([
		{ ...bella, changedFields: ['name'] },
		{ ...cleo, changedFields: null },
	]);
	const choices: Array<Array<'name' | 'email'>> = [['email', 'name'], [], ['email']];
	for (const onlyFields of choices)
		expect(await polls.poll([[moved, bella, cleo]], { settings: { onlyFields } })).toEqual([]);
	// What changed together with the choice has no names.
	const again: Poll = { settings: { onlyFields: ['name'] } };
	expect(await polls.poll([[moved, bea, cleo]], again)).toEqual([bea]);
});
