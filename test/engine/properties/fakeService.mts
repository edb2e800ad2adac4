import { defaultGuesses, type Guesses } from '../../../sandbox/guesses.mts';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import { Randomness } from '../../../sandbox/store/randomness.mts';
import type { Store } from '../../../sandbox/store/store.mts';
import type { NetworkRequest } from '../fakeNetwork.mts';

/** Something that the service really did. */
export interface Work {
	method: string;
	path: string;
	body: Record<string, unknown>;
	/** What it answered. */
	record: object;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/** An ID as the API documents them: a word, and 26 lower-case letters or digits. */
export function makeId(word: string, number: number): string {
	return `${word}_${alphabet.slice(0, 20)}${String(number).padStart(6, '0')}`;
}

/** What the names of the pages that are searched for begin with. */
export const searched = 'spring';

/** Items choose among so many accounts and pages. */
export const choices = 6;

// One for all runs, because making its records takes longer than a run.
const sandbox = new SandboxInProcess();
const { store } = sandbox;
const [[account], [page], [audience]] = [store.accounts, store.pages, store.audiences];
const activities = store.addActivities(account.accountId, 1_300);
const people = store.addPersons(1_300);

let services = 0;

/** The sandbox without a network. Everything is as it was first in each run. */
export class FakeService {
	/** Of its own: what the process has written with another one is not found here. */
	readonly apiKey = `key-${++services}`;

	readonly works: Work[] = [];

	readonly store: Store = store;

	/** @param count records of the longest list; the list of number n has `count >> n` of them */
	constructor(guesses: Partial<Guesses>, count = 0) {
		Object.assign(sandbox.guesses, defaultGuesses, guesses);
		store.randomness = new Randomness(0);
		const { persons, personLogs, accounts, pages, audiences } = store;
		for (const all of [persons, personLogs, accounts, pages, audiences, store.activities])
			all.clear();
		for (const person of people.slice(0, count)) persons.add({ ...person });
		for (let number = 0; number < choices; number++) {
			const pageId = makeId('page', number);
			pages.add({ ...page, pageId, name: `Page ${number}`, title: '', pageContext: '' });
			for (let at = 0; at < count >> number; at++)
				audiences.add({ ...audience, pageId, audienceId: makeId('audience', at) });
			const accountId = makeId('account', number);
			accounts.add({ ...account, accountId, domain: `${number}.example` });
			for (const activity of activities.slice(0, count >> number))
				store.activities.add({ ...activity, accountId });
		}
		for (let number = 0; number < count; number++)
			pages.add({ ...page, pageId: makeId('page', 100 + number), name: `${searched} ${number}` });
	}

	/** Does what the request asks for. */
	answer(request: NetworkRequest): { status: number; body: object } {
		const { method, path, body } = request;
		const before = this.size;
		const { status, body: record } = sandbox.answer(request);
		const isDone = method === 'POST' ? this.size > before : method !== 'GET';
		if (status < 300 && isDone)
			this.works.push({ method, path, body: (body ?? {}) as Work['body'], record });
		return { status, body: record };
	}

	/** All records of a list, in the order of the service. */
	readWhole(path: string, query: Record<string, string> = {}): object[] {
		const { maximumLimit } = sandbox.guesses;
		sandbox.guesses.maximumLimit = Infinity;
		const { body } = sandbox.answer({
			method: 'GET',
			path,
			query: { ...query, limit: '9999' },
			body: {},
		});
		sandbox.guesses.maximumLimit = maximumLimit;
		return (JSON.parse(JSON.stringify(body)) as { items: object[] }).items;
	}

	get maximumLimit(): number {
		return sandbox.guesses.maximumLimit;
	}

	private get size(): number {
		return store.persons.size + store.personLogs.size + store.accounts.size;
	}
}
