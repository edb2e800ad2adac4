import { startSandbox } from '../sandbox/index.mts';
import { serve } from './child.mts';

/** The delay of every response, in addition to the sandbox's own work. */
const latencyMs = 20;

const sandbox = await startSandbox({ latencyMs, validateResponses: false });

/** The API service as a process of its own. */
const calls = {
	address: () => ({ url: sandbox.url, apiKey: sandbox.apiKey }),
	/** Back to the seed, with no requests counted. */
	reset: () => {
		sandbox.reset();
		sandbox.peakInFlight = 0;
	},
	/** The greatest `limit` until the next reset. */
	allowLimit: (maximumLimit: number) => {
		sandbox.guesses.maximumLimit = maximumLimit;
	},
	/** Fills the list up to `count` persons. */
	fillPersons: (count: number) => {
		sandbox.store.addPersons(count - sandbox.store.persons.size);
	},
	/** Adds a person for each contact. */
	addPersons: (contacts: Array<{ name: string; email: string }>) => {
		for (const { name, email } of contacts) sandbox.store.addPersons(1, { name, email });
	},
	/** Fills the feed of one account up to `count` entries, and returns the account's ID. */
	fillActivities: (count: number): string => {
		const [, account] = sandbox.store.accounts.all();
		const { accountId } = account;
		sandbox.store.addActivities(accountId, count - sandbox.store.activities.of(accountId).length);
		return accountId;
	},
	/** A page with sessions. */
	pageId: (): string => {
		const [{ pageId }] = sandbox.store.pages.all();
		return pageId;
	},
	/** Fills the list of a page up to `count` sessions. */
	fillSessions: (pageId: string, count: number) => {
		sandbox.store.addSessions(pageId, count - sandbox.store.sessions.of(pageId).length);
	},
	/** Makes all sessions of a page start at the same moment. */
	dateSessions: (pageId: string, sessionStartedAt: string) => {
		for (const session of sandbox.store.sessions.of(pageId))
			session.sessionStartedAt = sessionStartedAt;
	},
	personIds: () => sandbox.store.persons.all().map(({ personId }) => personId),
	activityIds: (accountId: string) =>
		sandbox.store.activities.of(accountId).map(({ activityId }) => activityId),
	logs: () =>
		sandbox.store.personLogs
			.all()
			.map(({ personLogId, payload }) => ({ personLogId, crmId: String(payload.crmId) })),
	/** A subscription that is not in use, for a trigger to take. */
	freeSubscription: (): string => {
		const free = sandbox.store.subscriptions.all().find(({ active }) => !active);
		if (!free) throw new Error('Every subscription is in use');
		return free.subscriptionId;
	},
	/** The URL a subscription delivers to. */
	urlOf: (subscriptionId: string): string => {
		const all = sandbox.store.subscriptions.all();
		const found = all.find((each) => each.subscriptionId === subscriptionId && each.active);
		if (!found) throw new Error(`Subscription ${subscriptionId} is inactive`);
		return found.url;
	},
	/** The requests since the last call. */
	traffic: () => {
		const { peakInFlight, requests } = sandbox;
		const refused = requests.filter(({ status = 0 }) => status < 200 || status > 299).length;
		const traffic = { peakInFlight, requests: requests.length, refused };
		requests.length = 0;
		sandbox.peakInFlight = 0;
		return traffic;
	},
};

export type Service = typeof calls;

serve(calls);
