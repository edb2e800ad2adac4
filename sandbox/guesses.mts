/*
 * THE SANDBOX'S GUESSES. The API's documentation leaves the following open, but a stand-in has to decide. The real
 * service may decide every point differently, so build nothing on them. Those that a test can switch are in `Guesses`.
 * The others are decided where they are needed:
 *
 * - Errors: 401 for the key, 404 for an unknown record or endpoint, 415 for a wrong content type, otherwise 400.
 * - `limit` and `offset` are whole numbers. A cursor that the sandbox did not write is rejected.
 * - Lists are in the order in which records were added. A search for pages orders them by their score.
 * - A search ignores case and matches anywhere: for accounts, in name and domain. An empty search matches everything.
 * - Only `includeEmptyOnly` that is on asks for accounts without people. Only `includeDeleted` that is on and
 *   `includePersonActivity` that is off change what an account's activity shows. `include` has no effect.
 * - Domains are stored in lower case. A person without one gets that of the email address, unless it belongs to a free
 *   mail provider. People are linked to the account of their domain, and their logs appear in its activity.
 * - A log finds its person by ID, email address, phone number or LinkedIn URL, in this order, and does not change it.
 *   An unnamed person is called by what is known.
 * - A new page is a draft. Its title comes from its metadata, otherwise it is its name. Two pages may share a name.
 * - PATCH replaces lists and metadata as a whole, except for the images, which no request can send. It merges the
 *   target of a link. An empty string removes an override of an audience.
 * - Members that were not sent are returned empty, and so are moments that have not come.
 * - Archiving an audience keeps its status for restoring. Repeating either changes nothing. `publishedVersion` is the
 *   last version if none was published.
 * - A session belongs to the period in which it started. Rates are fractions from 0 to 1, and 0
 *   without sessions. An unknown session has no interactions. Each field of a form is an interaction.
 * - `nextCursor` is absent at the end of the lists in which it is optional.
 * - References in requests (headerActionId, brandId, target.audienceId) are not checked.
 * - No operation emits an event. A subscription with null `events` wants every kind, one with an empty list none.
 */
import type { Person } from './records.mts';

export const searchableFields = [
	'name',
	'email',
	'domain',
	'phoneNumber',
	'slug',
	'linkedinProfileUrl',
] as const satisfies (keyof Person)[];

/** Guesses that a test can switch to one of these choices, to see how a client copes. The first is the default. */
export const guessChoices = {
	/**
	 * Which fields of a person a search looks at. 'all': name, email, domain, phone number, slug and LinkedIn URL.
	 * 'some': name and email. 'names': name and slug. Otherwise the one that it names.
	 */
	personSearch: ['all', 'some', 'names', ...searchableFields],
	/**
	 * What createPerson does when the email address, phone number or LinkedIn URL belongs to a person. 'duplicate'
	 * creates another one, because no uniqueness is documented. 'conflict' responds 409. 'returned' responds with the
	 * existing person and 200, 'returnedAsCreated' with the same and 201.
	 */
	existingPerson: ['duplicate', 'conflict', 'returned', 'returnedAsCreated'],
	/**
	 * What createAccount does when the domain has an account. 'returned' responds with the existing one, unchanged: the
	 * status 200, not 201, hints at it. 'conflict' responds 409. 'duplicate' creates another one.
	 */
	existingAccount: ['returned', 'conflict', 'duplicate'],
	/** Whether searchAccounts hides accounts without linked persons unless `includeEmptyOnly` is sent. */
	emptyAccounts: ['shown', 'hidden'],
	/**
	 * What createPersonLog does with a known idempotency key, whatever the rest of the request says. 'returned' responds
	 * with the first log and stores nothing. 'conflict' responds 409. 'ignored' stores another log.
	 */
	repeatedKey: ['returned', 'conflict', 'ignored'],
	/** Whether listPersons and searchPersons count the persons. Null is documented there. */
	totalCountOfPersons: ['counted', 'null'],
	/**
	 * The order of listAudienceSessions, by the start of a session. 'shuffled' keeps one order for all pages of a
	 * listing, and takes another one for the next listing.
	 */
	sessionOrder: ['oldestFirst', 'newestFirst', 'shuffled'],
	/** Which moments of a period belong to it: also its start, its end, both or none. */
	periodEdges: ['both', 'start', 'end', 'none'],
	/** How a flag is turned on and off: true and false, 1 and 0. 'strict' rejects all but true and false. */
	flags: ['words', 'digits', 'strict'],
	/** What a `limit` above the greatest does. A silent cut would hide a client's mistake. */
	excessiveLimit: ['rejected', 'cut'],
	/** What `totalCount` says: 'rounded' is the next full hundred. */
	totalCounts: ['exact', 'rounded'],
	/** Whether responses have headers with a rate limit, which the sandbox does not enforce. */
	rateLimitHeaders: ['none', 'sent'],
} as const;

type GuessChoices = typeof guessChoices;
type ChosenGuesses = { -readonly [Name in keyof GuessChoices]: GuessChoices[Name][number] };

/** Guesses to switch for one sandbox, when it starts or while it runs. */
export interface Guesses extends ChosenGuesses {
	/** How many records a list returns without `limit`. */
	defaultLimit: number;
	/** The greatest `limit`. */
	maximumLimit: number;
	/** How long a delivery waits for a response, in milliseconds. As short as common webhook senders. */
	deliveryTimeoutMs: number;
	/** How long searches miss a person, account or page that was created or changed. Lists show it at once. */
	searchLagMs: number;
	/** How long listPersons misses a new person. */
	listLagMs: number;
}

export const defaultGuesses: Readonly<Guesses> = {
	defaultLimit: 25,
	maximumLimit: 100,
	deliveryTimeoutMs: 5000,
	searchLagMs: 0,
	listLagMs: 0,
	personSearch: 'all',
	existingPerson: 'duplicate',
	existingAccount: 'returned',
	emptyAccounts: 'shown',
	repeatedKey: 'returned',
	totalCountOfPersons: 'counted',
	sessionOrder: 'oldestFirst',
	periodEdges: 'both',
	flags: 'words',
	excessiveLimit: 'rejected',
	totalCounts: 'exact',
	rateLimitHeaders: 'none',
};

/** There is one tenant, because nothing in the API chooses between several. */
export const tenantId = 'tenant_northwind';

/** The two types of entries in an account's activity. Only the first is documented. */
export const accountActivityType = 'account-log-entry';
export const personActivityType = 'person-log-entry';

/** A date still to come, or a form that was not submitted. Neither null nor absence is documented there. */
export const notHappened = '';

/** RFC 3339 in UTC with milliseconds, as JSON writes a date. */
export const writeMoment = (moment = new Date()): string => moment.toISOString();

/** Tells which moments lie at least this far back. */
export function isBefore(lagMs: number): (moment: string) => boolean {
	if (lagMs === 0) return () => true;
	const latest = writeMoment(new Date(Date.now() - lagMs));
	return (moment) => moment <= latest;
}

/** Lower-case ASCII with hyphens: `Zoë Müller` becomes `zoe-muller`. */
export const slugify = (text: string): string =>
	text
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.replaceAll('ø', 'o')
		.replaceAll('ı', 'i')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '');
