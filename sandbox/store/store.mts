import type * as Records from '../records.mts';
import { addActivity, makePerson } from '../seed/contacts.mts';
import { seedStore } from '../seed/index.mts';
import { addSession } from '../seed/sessions.mts';
import { Collection } from './collection.mts';
import { Collections } from './collections.mts';
import { Randomness } from './randomness.mts';

/** All records of the sandbox. Read and change them while it runs. */
export class Store extends Collections {
	readonly #stateOfSeed: number;

	constructor() {
		super();
		this.randomness = new Randomness(20_240_131);
		seedStore(this);
		this.#stateOfSeed = this.randomness.state;
		for (const collection of this.#collections) collection.keep();
	}

	get #collections(): Array<Collection<unknown>> {
		return Object.values(this as object).filter((each) => each instanceof Collection);
	}

	/** Restores the seed. */
	reset(): void {
		for (const collection of this.#collections) collection.restore();
		this.randomness = new Randomness(this.#stateOfSeed);
	}

	/** Adds example persons, with the same changes in each: 200,000 in a few seconds. */
	addPersons(count: number, changes: Partial<Records.Person> = {}): Records.Person[] {
		return repeat(count, () => this.persons.add({ ...makePerson(this), ...changes }));
	}

	/** Adds example entries to an account's activity. */
	addActivities(accountId: string, count: number): Records.AccountActivity[] {
		const account = this.accounts.get(accountId);
		if (!account) throw new Error(`Account '${accountId}' was not found`);
		return repeat(count, () => addActivity(this, account));
	}

	/** Adds example visits to a page. A late one has a `sessionStartedAt` that lies hours back. */
	addSessions(
		pageId: string,
		count: number,
		changes: Partial<Records.AudienceSession> = {},
	): Records.AudienceSession[] {
		const page = this.pages.get(pageId);
		if (!page) throw new Error(`Page '${pageId}' was not found`);
		return repeat(count, () => addSession(this, page, changes));
	}
}

const repeat = <T,>(count: number, act: () => T): T[] => Array.from({ length: count }, act);
