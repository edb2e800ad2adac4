import type * as Records from '../records/index.mts';
import { makeActivity } from '../seed/activities.mts';
import { seedStore } from '../seed/index.mts';
import { makePerson } from '../seed/persons.mts';
import { addSession } from '../seed/sessions.mts';
import { Collection } from './collection.mts';
import { Randomness } from './randomness.mts';

/** All records of the sandbox. Read and change them while it runs. */
export class Store {
	readonly persons = new Collection<Records.Person>({
		idOf: ({ personId }) => personId,
		groupOf: ({ domain }) => domain,
	});
	readonly personLogs = new Collection<Records.PersonLog>({
		idOf: ({ personLogId }) => personLogId,
		groupOf: ({ idempotencyKey }) => idempotencyKey,
	});
	readonly accounts = new Collection<Records.Account>({
		idOf: ({ accountId }) => accountId,
		groupOf: ({ domain }) => domain,
	});
	/** `.of(accountId)` */
	readonly activities = new Collection<Records.AccountActivity>({
		idOf: ({ activityId }) => activityId,
		groupOf: ({ accountId }) => accountId,
	});
	readonly pages = new Collection<Records.Page>({ idOf: ({ pageId }) => pageId });
	/** `.of(pageId)` */
	readonly audiences = new Collection<Records.Audience>({
		idOf: ({ audienceId }) => audienceId,
		groupOf: ({ pageId }) => pageId,
	});
	/** `.of(audienceId)` */
	readonly versions = new Collection<Records.AudienceVersion>({
		idOf: ({ versionId }) => versionId,
		groupOf: ({ audienceId }) => audienceId,
	});
	/** `.of(pageId)` */
	readonly sessions = new Collection<Records.AudienceSession>({
		idOf: ({ audienceSessionId }) => audienceSessionId,
		groupOf: ({ pageId }) => pageId,
	});
	/** `.of(audienceSessionId)` */
	readonly interactions = new Collection<Records.RecordedInteraction>({
		groupOf: ({ audienceSessionId }) => audienceSessionId,
	});
	readonly pageLinks = new Collection<Records.PageLink>({ idOf: ({ pageLinkId }) => pageLinkId });
	readonly subscriptions = new Collection<Records.WebhookSubscription>({
		idOf: ({ subscriptionId }) => subscriptionId,
	});

	/** Also makes new IDs, so that every run gets the same ones. */
	randomness = new Randomness(0);

	constructor() {
		this.reset();
	}

	/** Restores the seed. */
	reset(): void {
		for (const collection of Object.values(this.collections())) collection.clear();
		this.randomness = new Randomness(20_240_131);
		seedStore(this);
	}

	collections() {
		const { persons, personLogs, accounts, activities, pages, audiences } = this;
		const { versions, sessions, interactions, pageLinks, subscriptions } = this;
		return {
			persons,
			personLogs,
			accounts,
			activities,
			pages,
			audiences,
			versions,
			sessions,
			interactions,
			pageLinks,
			subscriptions,
		};
	}

	/** Adds example persons, with the same changes in each: 200,000 in a few seconds. */
	addPersons(count: number, changes: Partial<Records.Person> = {}): Records.Person[] {
		return repeat(count, () => this.persons.add({ ...makePerson(this), ...changes }));
	}

	/** Adds example entries to an account's activity. */
	addActivities(
		accountId: string,
		count: number,
		changes: Partial<Records.AccountActivity> = {},
	): Records.AccountActivity[] {
		const account = this.accounts.get(accountId);
		if (!account) throw new Error(`Account '${accountId}' was not found`);
		return repeat(count, () => {
			const entry = this.activities.add({ ...makeActivity(this, account), ...changes });
			account.latestActivityAt = entry.createdAt;
			return entry;
		});
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
