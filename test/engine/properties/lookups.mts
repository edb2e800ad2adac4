import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { guessChoices } from '../../../sandbox/guesses.mts';
import type { Collection } from '../../../sandbox/store/collection.mts';
import { requestLimits } from '../../groups.mts';
import { startOfTime } from '../clock.mts';
import type { RunResult } from '../engine.mts';
import type { NetworkRequest, Reply } from '../fakeNetwork.mts';
import { runOffline } from '../offline.mts';
import type { Drawn } from './drawing.mts';
import { FakeService, makeId } from './fakeService.mts';
import { anyFault, faultSequence, judgeFault, meet, passingFault } from './faults.mts';
import { runSettings } from './scenario.mts';

const emails = ['p0@x.example', 'bob@gmail.com', 'jürgen@bücher.example', 'a+news@x.example'];
const handles = ['nathan-smith-4b7', 'bob', 'andré-müller', 'p_3'];

/** Four values of each field, each in three spellings. */
export const spellings = {
	email: emails.map((email) => [email, ` ${email.toUpperCase()} `, email.normalize('NFD')]),
	linkedinProfileUrl: handles.map((handle) => [
		`https://www.linkedin.com/in/${handle}`,
		encodeURI(`http://de.linkedin.com/in/${handle}/?trk=1`),
		`linkedin.com/in/${handle.toUpperCase()}#about`,
	]),
	phoneNumber: [
		['+49 30 5551000', '+49 (0)30 55 51-000', 'tel:+49305551000'],
		['030 5551001', 'Tel. 030 5551001', '030/555 1001 (work)'],
		['+49 30 5551000 ext. 7', '+49305551000;ext=7', '+49305551000 DW 7'],
		['+34 612 345 678', '+34612345678', 'Tel. +34 612-345-678'],
	],
	domain: ['a', 'b', 'c', 'd'].map((name) => [
		`${name}.example`,
		`https://www.${name.toUpperCase()}.example/`,
		` ${name}.example`,
	]),
};

/** Somebody of whose fields each is like one that is looked for. */
const lookalike = {
	name: 'Bob Smith',
	email: 'bob.smith@gmail.com',
	linkedinProfileUrl: 'https://www.linkedin.com/in/bob-smith',
	phoneNumber: '+49 30 55510',
};

/** Who has a value is called by it. */
export const nameOf = ({ value }: Pick<Spelled, 'value'>): string => `Value ${value}`;

export const spelled = fc.record({ value: fc.nat({ max: 3 }), spelling: fc.nat({ max: 2 }) });
export type Spelled = Drawn<typeof spelled>;

const mostly = <const T,>(usual: T, ...others: T[]) =>
	fc.oneof(fc.constant(usual), fc.constantFrom(...others));

const guesses = fc
	.record({
		personSearch: mostly('all', ...guessChoices.personSearch),
		searchLagMs: fc.constantFrom(0, 0, 1_500, 3_600_000),
		maximumLimit: fc.constantFrom(2, 100, 1_000),
		existingPerson: mostly('duplicate', ...guessChoices.existingPerson),
		existingAccount: mostly('duplicate', ...guessChoices.existingAccount),
		totalCountOfPersons: fc.constantFrom(...guessChoices.totalCountOfPersons),
	})
	.map((rest) => ({ ...rest, defaultLimit: Math.min(25, rest.maximumLimit) }));

/** One execution that may be killed. */
const killable = fc.record({
	faults: faultSequence(fc.oneof(anyFault, passingFault)),
	/** After so many requests. */
	killedAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
	/** Whether the service does the work of the last request before the kill. */
	lastIsDone: fc.boolean(),
	/** n8n's Retry of the execution before, if that one has failed. */
	isRetry: fc.boolean(),
	/** The value of somebody who is deleted in the service before it. */
	deleted: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 3 }),
});

type Attempt = Drawn<typeof killable>;

export const anyField = fc.constantFrom(
	...(Object.keys(spellings) as Array<keyof typeof spellings>),
);

/** Executions of Create or Get of people, or of Create or Update of accounts, and who exists before. */
export const lookups = fc.record({
	field: anyField,
	lookup: fc.constantFrom('auto', 'auto', 'list', 'search'),
	/** What the API's description leaves open. */
	guesses,
	/** Values that somebody has at the start, in which spelling. */
	known: fc.array(spelled, { maxLength: 3 }),
	/** Whether the last of them has just changed, so that a search misses the change. */
	lastIsNew: fc.boolean(),
	items: fc.array(spelled, { minLength: 1, maxLength: 5 }),
	...runSettings,
	attempts: fc.array(killable, { minLength: 1, maxLength: 4 }),
});
export type Lookups = Drawn<typeof lookups>;

/** A search is trusted that may miss who is there. */
export function isMisled({ field, lookup, guesses: { searchLagMs } }: Lookups): boolean {
	return field === 'domain' ? searchLagMs > 0 : lookup === 'search';
}

/** The service, with those who are there at the start. */
export function openService({ field, guesses: given, known, lastIsNew }: Lookups): FakeService {
	const service = new FakeService(given);
	const { accounts } = service.store;
	const [account] = accounts;
	const nothing = { email: null, domain: null, phoneNumber: null, linkedinProfileUrl: null };
	const longAgo = '2000-01-01T00:00:00.000Z';
	const old = { createdAt: longAgo, updatedAt: longAgo };
	service.store.addPersons(1, { ...nothing, ...old, ...lookalike });
	for (const [index, each] of known.entries()) {
		const isNew = lastIsNew && index === known.length - 1;
		const made = isNew ? { ...old, updatedAt: new Date(startOfTime).toISOString() } : old;
		const { [each.spelling]: spelling, 0: first } = spellings[field][each.value];
		const accountId = makeId('account', 100 + index);
		const person = { ...nothing, ...made, name: nameOf(each), [field]: spelling };
		if (field !== 'domain') service.store.addPersons(1, person);
		else accounts.add({ ...account, ...made, accountId, domain: first, name: 'Old' });
	}
	return service;
}

/** How many have a value. */
export function countOf({ store }: FakeService, { field }: Lookups, value: number): number {
	if (field === 'domain') return store.accounts.of(spellings.domain[value][0]).length;
	return store.persons.all().filter(({ name }) => name === nameOf({ value })).length;
}

/** Somebody deletes in the service who has a value. */
export function deleteFrom({ store }: FakeService, { field }: Lookups, value: number): void {
	const [gone] = spellings.domain[value];
	if (field === 'domain') keep(store.accounts, ({ domain }) => domain !== gone);
	else keep(store.persons, ({ name }) => name !== nameOf({ value }));
}

function keep<T>(collection: Collection<T>, isKept: (record: T) => boolean): void {
	const kept = collection.all().filter(isKept);
	collection.clear();
	for (const record of kept) collection.add(record);
}

/** The items of a run, and parameters that look for the values of them. */
export const lookingFor = (
	{ field, lookup }: Pick<Lookups, 'field' | 'lookup'>,
	items: Spelled[],
	options: INodeParameters = {},
) => ({
	parameters: {
		...(field === 'domain'
			? { resource: 'account', operation: 'upsert' }
			: { resource: 'person', operation: 'createOrGet', matchOn: field }),
		options: field === 'domain' ? options : { lookup, ...options },
		[field]: '={{ $json.value }}',
		name: '={{ $json.name }}',
	},
	items: items.map((item) => ({
		value: spellings[field][item.value][item.spelling],
		name: nameOf(item),
	})),
});

/** Runs the node in an execution that may be killed. */
export async function lookUp(
	given: Lookups,
	service: FakeService,
	{ faults, killedAfter = Infinity, lastIsDone }: Pick<Attempt, 'faults'> & Partial<Attempt>,
	options: INodeParameters = {},
	retryOf?: RunResult,
) {
	const { items, onError, tries, maxRetries, concurrency } = given;
	const killer = new AbortController();
	// How many attempts to create somebody came to nothing that tells whether it was done.
	let doubts = 0;
	const { exchanges, ...result } = await runOffline({
		credential: { apiKey: service.apiKey },
		answer: async (request, number): Promise<Reply> => {
			const work = () => service.answer(recognize(given, service, request));
			if (number >= killedAfter) {
				if (number === killedAfter && lastIsDone) work();
				killer.abort();
				return { lost: 'ECONNRESET', message: 'killed' };
			}
			const fault = faults[number];
			if (request.method === 'POST' && fault && judgeFault(fault) === 'in doubt') doubts++;
			return fault ? await meet(fault, request, work) : work();
		},
		retryOf,
		...lookingFor(given, items, { ...requestLimits({ maxRetries, concurrency }), ...options }),
		onError,
		signal: killer.signal,
		settings: tries > 1 ? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1000 } : {},
	});
	const hasSearched = exchanges.some(({ request }) => request.path === '/v0/persons/search');
	return { ...result, hasSearched, doubts };
}
export type LookedUp = Awaited<ReturnType<typeof lookUp>>;

/** A service that looks for who exists knows them in every spelling, unlike the sandbox. */
function recognize(
	{ field, guesses: given }: Lookups,
	{ store }: FakeService,
	request: NetworkRequest,
) {
	if (request.method !== 'POST' || field === 'domain' || given.existingPerson === 'duplicate')
		return request;
	const body = request.body as IDataObject;
	const known = store.persons.find(({ name }) => name === body.name);
	return known ? { ...request, body: { ...body, [field]: known[field] } } : request;
}
