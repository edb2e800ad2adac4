import { startSandbox } from '../sandbox/index.mts';
import { serve } from './child.mts';

/** The time that every answer takes, beside what the sandbox itself needs. */
const latencyMs = 20;

const sandbox = await startSandbox({ latencyMs, validateResponses: false });

/** The API service as a process of its own. */
const calls = {
	address: () => ({ url: sandbox.url, apiKey: sandbox.apiKey }),
	/** The seed alone: nothing written, nothing counted. */
	reset: () => {
		sandbox.reset();
		sandbox.peakInFlight = 0;
	},
	/** Fills the list up to so many persons. */
	fillPersons: (count: number) => {
		sandbox.store.addPersons(count - sandbox.store.persons.size);
	},
	/** Fills the feed of one account up to so many entries, and tells whose it is. */
	fillActivities: (count: number): string => {
		const [, account] = sandbox.store.accounts.all();
		const { accountId } = account;
		sandbox.store.addActivities(accountId, count - sandbox.store.activities.of(accountId).length);
		return accountId;
	},
	personIds: () => sandbox.store.persons.all().map(({ personId }) => personId),
	activityIds: (accountId: string) =>
		sandbox.store.activities.of(accountId).map(({ activityId }) => activityId),
	logs: () =>
		sandbox.store.personLogs
			.all()
			.map(({ personLogId, payload }) => ({ personLogId, crmId: String(payload.crmId) })),
	/** One that delivers nowhere, for a trigger to use. */
	freeSubscription: (): string => {
		const free = sandbox.store.subscriptions.all().find(({ active }) => !active);
		if (!free) throw new Error('No subscription is free');
		return free.subscriptionId;
	},
	/** Where a subscription delivers now. */
	urlOf: (subscriptionId: string): string => {
		const all = sandbox.store.subscriptions.all();
		const found = all.find((each) => each.subscriptionId === subscriptionId && each.active);
		if (!found) throw new Error(`Subscription ${subscriptionId} delivers nowhere`);
		return found.url;
	},
	/** Of the requests since the last call. */
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
