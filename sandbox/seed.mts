import type { Account, Audience, Page } from './records.mts';
import type { Store } from './store.mts';
import { describeActivity } from './seed/activities.mts';
import { describeAudience, describeVersion } from './seed/audiences.mts';
import { momentAfter } from './seed/calendar.mts';
import { describeAccount } from './seed/companies.mts';
import { describePageLink } from './seed/pageLinks.mts';
import { describePage } from './seed/pages.mts';
import { describePerson } from './seed/people.mts';
import { describeInteraction, describeSession } from './seed/sessions.mts';
import { describeSubscriptions } from './seed/subscriptions.mts';

/** How much there is: enough that every list has several pages at any usual page size. */
export const seedCounts = {
	accounts: 60,
	persons: 240,
	pages: 24,
	activitiesOfFirstAccount: 260,
	audiencesOfFirstPage: 230,
	versionsOfFirstAudience: 60,
	sessionsOfFirstPage: 320,
	pageLinks: 9,
	subscriptions: 4,
} as const;

const repeat = (count: number, act: (number: number) => void): void => {
	for (let number = 0; number < count; number++) act(number);
};

/** Fills an empty store; the same records in every run. */
export function sow(store: Store): void {
	repeat(seedCounts.accounts, () => store.accounts.add(describeAccount(store)));
	repeat(seedCounts.persons, () => store.persons.add(describePerson(store)));
	store.accounts.all().forEach((account, number) => sowActivities(store, account, number));
	repeat(seedCounts.pages, () => store.pages.add(describePage(store)));
	store.pages.all().forEach((page, number) => {
		sowAudiences(store, page, number);
		sowSessions(store, page, number);
	});
	repeat(seedCounts.pageLinks, (number) => {
		store.pageLinks.add(describePageLink(store, store.audiences.all()[number]));
	});
	for (const subscription of describeSubscriptions(store)) store.subscriptions.add(subscription);
}

function sowActivities(store: Store, account: Account, number: number): void {
	repeat(number === 0 ? seedCounts.activitiesOfFirstAccount : number % 7, () => {
		const entry = store.activities.add(describeActivity(store, account));
		account.latestActivityAt = entry.createdAt;
	});
	// Deleted ones come on top, so that the documented default and includeDeleted can be told apart.
	repeat(number === 0 ? 5 : 0, (deleted) => {
		const entry = describeActivity(store, account);
		store.activities.add({ ...entry, deletedAt: momentAfter(90_000 + deleted) });
	});
}

function sowAudiences(store: Store, page: Page, number: number): void {
	repeat(number === 0 ? seedCounts.audiencesOfFirstPage : (number * 5) % 13, (variant) => {
		const audience = store.audiences.add(describeAudience(store, page));
		sowVersions(store, audience, number === 0 && variant === 0);
	});
}

function sowVersions(store: Store, audience: Audience, isFirst: boolean): void {
	const count = isFirst ? seedCounts.versionsOfFirstAudience : store.randomness.between(1, 3);
	repeat(count, (version) => {
		store.versions.add(describeVersion(store, audience, version === count - 1));
	});
}

function sowSessions(store: Store, page: Page, number: number): void {
	repeat(number === 0 ? seedCounts.sessionsOfFirstPage : number % 5, () => {
		const session = store.sessions.add(describeSession(store, page));
		repeat(session.isBounce ? 0 : store.randomness.between(1, 6), (interaction) => {
			store.interactions.add({
				audienceSessionId: session.audienceSessionId,
				interaction: describeInteraction(store, session, interaction),
			});
		});
	});
}
