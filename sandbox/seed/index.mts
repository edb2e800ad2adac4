import type { WebhookSubscription } from '../records.mts';
import type { Collections } from '../store/collections.mts';
import { makeAudience, makePageLink, makeVersion } from './audiences.mts';
import { momentAfter } from './calendar.mts';
import { addActivity, makeAccount, makeActivity, makePerson } from './contacts.mts';
import { makePage } from './pages.mts';
import { addSession } from './sessions.mts';

/**
 * Fills an empty store with the same records in every run: enough that every list of the first page, account and
 * audience has several pages at any usual page size.
 */
export function seedStore(store: Collections): void {
	repeat(60, () => store.accounts.add(makeAccount(store)));
	repeat(240, () => store.persons.add(makePerson(store)));
	seedActivities(store);
	repeat(24, () => store.pages.add(makePage(store)));
	for (const [number, page] of store.pages.all().entries()) {
		repeat(number === 0 ? 230 : (number * 5) % 13, (variant) => {
			const audience = store.audiences.add(makeAudience(store, page));
			const versions = number + variant === 0 ? 60 : store.randomness.between(1, 3);
			repeat(versions, (version) => {
				store.versions.add(makeVersion(store, audience, version === versions - 1));
			});
		});
		repeat(number === 0 ? 320 : number % 5, () => addSession(store, page));
	}
	for (const audience of store.audiences.all().slice(0, 9)) {
		store.pageLinks.add(makePageLink(store, audience));
	}
	seedSubscriptions(store);
}

function repeat(count: number, act: (number: number) => unknown): void {
	for (let number = 0; number < count; number++) act(number);
}

function seedActivities(store: Collections): void {
	for (const [number, account] of store.accounts.all().entries()) {
		repeat(number === 0 ? 260 : number % 7, () => addActivity(store, account));
		// Deleted entries are extra, so that a test can see whether includeDeleted adds them.
		repeat(number === 0 ? 5 : 0, (deleted) => {
			const deletedAt = momentAfter(90_000 + deleted);
			store.activities.add({ ...makeActivity(store, account), deletedAt });
		});
	}
}

/** One that is free, one in use elsewhere, one without a choice of events, and one that was used before. */
const registrations: Pick<WebhookSubscription, 'url' | 'events' | 'active'>[] = [
	{ url: 'http://localhost:5678/webhook/not-in-use', events: ['form.submitted'], active: false },
	{
		url: 'https://example.com/hooks/crm',
		events: ['form.submitted', 'form.enriched'],
		active: true,
	},
	{ url: 'https://example.com/hooks/everything', events: null, active: false },
	{
		url: 'https://example.com/hooks/publishing',
		events: ['page.version.created', 'page.version.processed', 'page.version.published'],
		active: false,
	},
];

function seedSubscriptions({ subscriptions, randomness }: Collections): void {
	for (const [number, registration] of registrations.entries()) {
		subscriptions.add({
			subscriptionId: randomness.id('subscription'),
			...registration,
			// A copy, because tests change records in place.
			events: registration.events && [...registration.events],
			createdAt: momentAfter(number * 1440),
			updatedAt: momentAfter(number * 1440 + 30),
		});
	}
}
