import type { Account, Audience, Page } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { makeAccount } from './accounts.mts';
import { makeActivity } from './activities.mts';
import { makeAudience, makeVersion } from './audiences.mts';
import { momentAfter } from './calendar.mts';
import { makePageLink } from './pageLinks.mts';
import { makePage } from './pages.mts';
import { makePerson } from './persons.mts';
import { addSession } from './sessions.mts';
import { makeSubscriptions } from './subscriptions.mts';

/** Enough records that every list has several pages at any usual page size. */
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

const repeat = (count: number, act: (number: number) => unknown): void => {
	for (let number = 0; number < count; number++) act(number);
};

/** Fills an empty store with the same records in every run. */
export function seedStore(store: Store): void {
	repeat(seedCounts.accounts, () => store.accounts.add(makeAccount(store)));
	repeat(seedCounts.persons, () => store.persons.add(makePerson(store)));
	store.accounts.all().forEach((account, number) => seedActivities(store, account, number));
	repeat(seedCounts.pages, () => store.pages.add(makePage(store)));
	store.pages.all().forEach((page, number) => {
		seedAudiences(store, page, number);
		seedSessions(store, page, number);
	});
	repeat(seedCounts.pageLinks, (number) => {
		store.pageLinks.add(makePageLink(store, store.audiences.all()[number]));
	});
	for (const subscription of makeSubscriptions(store)) store.subscriptions.add(subscription);
}

function seedActivities(store: Store, account: Account, number: number): void {
	repeat(number === 0 ? seedCounts.activitiesOfFirstAccount : number % 7, () => {
		const entry = store.activities.add(makeActivity(store, account));
		account.latestActivityAt = entry.createdAt;
	});
	// Deleted entries are extra, so that a test can see whether includeDeleted adds them.
	repeat(number === 0 ? 5 : 0, (deleted) => {
		const entry = makeActivity(store, account);
		store.activities.add({ ...entry, deletedAt: momentAfter(90_000 + deleted) });
	});
}

function seedAudiences(store: Store, page: Page, number: number): void {
	repeat(number === 0 ? seedCounts.audiencesOfFirstPage : (number * 5) % 13, (variant) => {
		const audience = store.audiences.add(makeAudience(store, page));
		seedVersions(store, audience, number === 0 && variant === 0);
	});
}

function seedVersions(store: Store, audience: Audience, isFirst: boolean): void {
	const count = isFirst ? seedCounts.versionsOfFirstAudience : store.randomness.between(1, 3);
	repeat(count, (version) => {
		store.versions.add(makeVersion(store, audience, version === count - 1));
	});
}

function seedSessions(store: Store, page: Page, number: number): void {
	repeat(number === 0 ? seedCounts.sessionsOfFirstPage : number % 5, () => addSession(store, page));
}
