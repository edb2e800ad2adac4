import { Collection } from './collection.mts';
import { Randomness } from './randomness.mts';
import type * as Records from './records.mts';
import { describeActivity } from './seed/activities.mts';
import { describePerson } from './seed/people.mts';
import { describeSession } from './seed/sessions.mts';
import { sow } from './seed.mts';

/** Everything the sandbox knows, readable and changeable while it runs. */
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

	/** Also the source of new IDs, so that a run can be repeated. */
	randomness = new Randomness(0);

	constructor() {
		this.reset();
	}

	/** Back to the seed. */
	reset(): void {
		for (const collection of Object.values(this.collections())) collection.clear();
		this.randomness = new Randomness(20_240_131);
		sow(this);
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

	/** For load tests. */
	addPersons(count: number): Records.Person[] {
		return Array.from({ length: count }, () => this.persons.add(describePerson(this)));
	}

	/** For load tests. The account need not have been seeded, but it has to be there. */
	addActivities(accountId: string, count: number): Records.AccountActivity[] {
		const account = this.accounts.get(accountId);
		if (!account) throw new Error(`The sandbox has no account ${accountId}`);
		return Array.from({ length: count }, () => {
			const entry = this.activities.add(describeActivity(this, account));
			account.latestActivityAt = entry.createdAt;
			return entry;
		});
	}

	/** For load tests. */
	addSessions(pageId: string, count: number): Records.AudienceSession[] {
		const page = this.pages.get(pageId);
		if (!page) throw new Error(`The sandbox has no page ${pageId}`);
		return Array.from({ length: count }, () => this.sessions.add(describeSession(this, page)));
	}
}
