/*
 * THE SANDBOX'S GUESSES. The API's documentation leaves the following open, but a stand-in has to decide. The real
 * service may decide every point differently, so build nothing on them. `Guesses` lists those that a test can switch;
 * each of the others is one function or constant below.
 *
 * Some guesses need no code here:
 * - IDs without a documented pattern look like those with one: a word and 26 letters or digits.
 * - No operation emits an event. Submitting the demo page's form emits form.submitted and adds a session to its page,
 *   but creates no person. That is left to the receiver of the event.
 * - PATCH page replaces a list as a whole, because its members have no documented identity.
 * - A person is linked to the account with the same domain. Logs of the person appear in that account's activity.
 * - A log only finds its person. It does not change the person.
 * - Two pages may share a name: no uniqueness is documented.
 * - `include` of listAudienceVersions has no effect, because its values are not documented.
 * - References in requests (headerActionId, brandId, target.audienceId) are not checked.
 */
import { ApiError, invalidRequest, type ErrorDetail } from './api/errors.mts';
import type {
	Account,
	AccountActivity,
	Audience,
	AudienceSession,
	AudienceStatus,
	AudienceVersion,
	EventKind,
	Metadata,
	Page,
	PageLink,
	Person,
	PersonLog,
	WebhookSubscription,
} from './records/index.mts';
import { slugify } from './slug.mts';
import type { Collection } from './store/collection.mts';

const searchableFields = [
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
	 * How listAudiences and listAudienceVersions end. `nextCursor` is documented as optional there, so it is absent.
	 * With 'null' the sandbox contradicts the documentation, as a real service might.
	 */
	endOfOptionalCursor: ['absent', 'null'],
	/**
	 * Which fields of a person a search looks at. 'all': name, email, domain, phone number, slug and LinkedIn URL.
	 * 'some': name and email. 'names': name and slug. Otherwise the one that it names.
	 */
	personSearch: ['all', 'some', 'names', ...searchableFields],
	/**
	 * How a search for persons compares. 'lowerQuery' and 'lowerStored' turn only the query, or only what is stored, into
	 * lower case. 'normalized' also compares phone numbers by their digits and LinkedIn URLs by their handle: `4930123`
	 * finds `+49 30 123`.
	 */
	personSearchMatching: [
		'ignoringCase',
		'normalized',
		'caseSensitive',
		'lowerQuery',
		'lowerStored',
	],
	/** Where a search for persons leaves out accents before it compares. */
	personSearchAccents: ['kept', 'ignored', 'ignoredInQuery', 'ignoredInStored'],
	/**
	 * What the query of a search for persons must be: a part of a field; words that the person has, all of them or one;
	 * the beginnings of such words; the beginning of a field; or a whole field.
	 */
	personSearchParts: ['anywhere', 'allWords', 'anyWord', 'wordStarts', 'fieldStart', 'wholeField'],
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
	/** Whether a period includes a session that started exactly at its start or its end. */
	sessionDateEdges: ['included', 'excluded', 'endExcluded'],
} as const;

type GuessChoices = typeof guessChoices;
type ChosenGuesses = { -readonly [Name in keyof GuessChoices]: GuessChoices[Name][number] };

/** Guesses to switch for one sandbox, when it starts or while it runs. */
export interface Guesses extends ChosenGuesses {
	/** How many records a list returns without `limit`. A common default. */
	defaultLimit: number;
	/** The greatest `limit`. More is rejected, because a silent cut would hide a client's mistake. */
	maximumLimit: number;
	/** How long a delivery waits for a response, in milliseconds. As short as common webhook senders. */
	deliveryTimeoutMs: number;
	/** How long searches miss a person, account or page that was created or changed. Lists show it at once. */
	searchLagMs: number;
	/** The least length of what a search for persons looks for: less finds nobody. */
	personSearchShortest: number;
	/** How many persons a search finds at most, without saying that there are more; 0 for all. */
	personSearchMost: number;
	/** How long listPersons misses a new person. */
	listLagMs: number;
}

export const defaultGuesses: Readonly<Guesses> = {
	defaultLimit: 25,
	maximumLimit: 100,
	deliveryTimeoutMs: 5000,
	searchLagMs: 0,
	personSearchShortest: 0,
	personSearchMost: 0,
	listLagMs: 0,
	endOfOptionalCursor: 'absent',
	personSearch: 'all',
	personSearchMatching: 'ignoringCase',
	personSearchAccents: 'kept',
	personSearchParts: 'anywhere',
	existingPerson: 'duplicate',
	existingAccount: 'returned',
	emptyAccounts: 'shown',
	repeatedKey: 'returned',
	totalCountOfPersons: 'counted',
	sessionOrder: 'oldestFirst',
	sessionDateEdges: 'included',
};

/** Statuses: 401 for the key, 404 for an unknown record or endpoint, 415 for a wrong content type, otherwise 400. */
export interface ErrorBody {
	error: string;
	message: string;
	details?: ErrorDetail[];
}

export const writeErrorBody = ({ code, message, details }: ApiError): ErrorBody => ({
	error: code,
	message,
	...(details ? { details } : {}),
});

/** There is one tenant, because nothing in the API chooses between several. */
export const tenantId = 'tenant_northwind';

/** The greatest request body, large enough for any realistic record. */
export const maximumBodySize = '10mb';

/** Where a page of a list starts. */
export interface ListStart {
	/** The place of the page's first record in the order in which the records were stored. */
	position: number;
	/** The number of the listing, for lists that are shuffled anew each time. Otherwise 0. */
	listing: number;
}

/** Lists start with the oldest record, so that paging stays stable while records are added. */
export const writeCursor = ({ position, listing }: ListStart): string =>
	Buffer.from(`after:${position}${listing === 0 ? '' : `:${listing}`}`).toString('base64url');

/** Any other cursor is rejected. Guessing a position would silently lose or duplicate records. */
export function readCursor(cursor: string): ListStart {
	const parts = /^after:(\d{1,15})(?::(\d{1,15}))?$/.exec(
		Buffer.from(cursor, 'base64url').toString(),
	);
	const start = { position: Number(parts?.[1]), listing: Number(parts?.[2] ?? 0) };
	if (!parts || writeCursor(start) !== cursor) {
		throw invalidRequest(`query/cursor '${cursor}' is not a valid cursor`);
	}
	return start;
}

/** Only whole numbers in range. `limit` and `offset` are documented as numbers, nothing more. */
export const isLimit = (limit: number, { maximumLimit }: Guesses): boolean =>
	Number.isInteger(limit) && limit >= 1 && limit <= maximumLimit;
export const isOffset = (offset: number): boolean => Number.isSafeInteger(offset) && offset >= 0;

/** Timestamps are RFC 3339 in UTC with milliseconds, as JSON writes a date. */
export const writeMoment = (moment = new Date()): string => moment.toISOString();

/** Tells which moments lie at least this far back. */
export function isBefore(lagMs: number): (moment: string) => boolean {
	if (lagMs === 0) return () => true;
	const latest = writeMoment(new Date(Date.now() - lagMs));
	return (moment) => moment <= latest;
}

/** A search matches anywhere and ignores case. An empty search matches everything. */
const includesQuery = (query: string, ...texts: (string | null)[]): boolean => {
	const wanted = query.trim().toLowerCase();
	return texts.some((text) => text?.toLowerCase().includes(wanted) ?? wanted === '');
};

type SearchableField = (typeof searchableFields)[number];

function listSearched(choice: Guesses['personSearch']): readonly SearchableField[] {
	if (choice === 'all') return searchableFields;
	if (choice === 'some') return ['name', 'email'];
	return choice === 'names' ? ['name', 'slug'] : [choice];
}

/** The digits of a phone number. Undefined for any other text. */
const readDigits = (text: string): string | undefined =>
	/\d/.test(text) && /^[+\d\s()./-]+$/.test(text) ? text.replace(/\D/g, '') : undefined;

const readHandle = (url: string): string | undefined =>
	/\blinkedin\.com\/in\/([^/?#]+)/i.exec(url)?.[1].toLowerCase();

/** What becomes of a text before it is compared: of the query, or of what is stored. */
function fold({ personSearchMatching, personSearchAccents }: Guesses, of: 'Query' | 'Stored') {
	const isLower =
		['ignoringCase', 'normalized'].includes(personSearchMatching) ||
		personSearchMatching === `lower${of}`;
	const isPlain = personSearchAccents === 'ignored' || personSearchAccents === `ignoredIn${of}`;
	return (text: string) => {
		const cased = isLower ? text.toLowerCase() : text;
		return isPlain ? cased.normalize('NFD').replace(/\p{M}/gu, '') : cased;
	};
}

const readWords = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);

/** Whether a person has a query, by the texts of the searched fields. */
const searchParts: Record<
	Guesses['personSearchParts'],
	(query: string) => (texts: string[]) => boolean
> = {
	anywhere: (query) => (texts) => texts.some((text) => text.includes(query)),
	allWords: (query) => {
		const wanted = readWords(query);
		return (texts) => wanted.every((word) => texts.some((text) => readWords(text).includes(word)));
	},
	anyWord: (query) => {
		const wanted = readWords(query);
		return (texts) => wanted.some((word) => texts.some((text) => readWords(text).includes(word)));
	},
	wordStarts: (query) => {
		const wanted = readWords(query);
		return (texts) => {
			const words = texts.flatMap(readWords);
			return wanted.every((start) => words.some((word) => word.startsWith(start)));
		};
	},
	fieldStart: (query) => (texts) => texts.some((text) => text.startsWith(query)),
	wholeField: (query) => (texts) => texts.includes(query),
};

/** Prepares a search for persons, because the work for the query is done once. An empty query finds everybody. */
export function findPersonsBy(query: string, guesses: Guesses): (person: Person) => boolean {
	const { personSearch, personSearchMatching, personSearchParts } = guesses;
	const wanted = query.trim();
	if (wanted === '') return () => true;
	if (wanted.length < guesses.personSearchShortest) return () => false;
	const fields = listSearched(personSearch);
	const foldStored = fold(guesses, 'Stored');
	const hasQuery = searchParts[personSearchParts](fold(guesses, 'Query')(wanted));
	const isInText = (person: Person) =>
		hasQuery(fields.flatMap((field) => (person[field] === null ? [] : foldStored(person[field]))));
	if (personSearchMatching !== 'normalized' || personSearch !== 'all') return isInText;
	const digits = readDigits(query);
	const handle = readHandle(query);
	const hasNumber = ({ phoneNumber }: Person) =>
		digits !== undefined && readDigits(phoneNumber ?? '')?.includes(digits);
	const hasHandle = ({ linkedinProfileUrl }: Person) =>
		handle !== undefined && readHandle(linkedinProfileUrl ?? '') === handle;
	return (person) => isInText(person) || hasNumber(person) || hasHandle(person);
}

/** "Search by name or domain" is documented. How they match is not. */
export const isAccountFound = (account: Account, query: string): boolean =>
	includesQuery(query, account.name, account.domain);

/** Whether an account is shown by its number of linked persons. Only `includeEmptyOnly=true` asks for 0. */
export const isAccountShown = (
	linkedPersonsCount: number,
	includeEmptyOnly: string | undefined,
	{ emptyAccounts }: Guesses,
): boolean =>
	linkedPersonsCount > 0
		? includeEmptyOnly !== 'true'
		: emptyAccounts === 'shown' || includeEmptyOnly !== undefined;

/** `includeDeleted=true` also returns deleted entries. Other values have no effect. */
export const wantsDeleted = (flag: string | undefined): boolean => flag === 'true';

/** `includePersonActivity=false` leaves out entries of persons. By default nothing is hidden. */
export const wantsPersonActivity = (flag: string | undefined): boolean => flag !== 'false';

/** The two types of entries. Only the first is documented. */
export const accountActivityType = 'account-log-entry';
export const personActivityType = 'person-log-entry';

export const isPersonActivity = (entry: AccountActivity): boolean =>
	entry.activityType === personActivityType;

/** Relevancy: each word scores 3 in the name, 2 in the title and 1 in the context. Pages with 0 are not found. */
export function scorePage(page: Page, query: string): number {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return 1;
	const score = (text: string, weight: number) =>
		words.filter((word) => text.toLowerCase().includes(word)).length * weight;
	return score(page.name, 3) + score(page.title, 2) + score(page.pageContext, 1);
}

/** Domains are stored and compared trimmed and in lower case, the canonical form of a host name. */
export const canonicalDomain = (domain: string): string => domain.trim().toLowerCase();

const freeMail = new Set(['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'hotmail.com']);

/** Without a domain, a person gets that of the email address, unless it belongs to a free mail provider. */
export function domainOfEmail(email: string | undefined): string | null {
	const domain = canonicalDomain(email?.split('@')[1] ?? '');
	return domain === '' || freeMail.has(domain) ? null : domain;
}

/** A person's name is never null, so an unnamed person is called by what is known. */
export const nameUnknownPerson = (name?: string, email?: string, phoneNumber?: string): string =>
	name ?? email?.split('@')[0] ?? phoneNumber ?? 'Unknown person';

export interface PersonMatch {
	email?: string;
	phoneNumber?: string;
	linkedinProfileUrl?: string;
}

/** Without a personId, a person is matched by email address, then phone number, then LinkedIn URL. */
export function matchPerson(
	persons: readonly Person[],
	{ email, phoneNumber, linkedinProfileUrl }: PersonMatch,
): Person | undefined {
	const address = email?.toLowerCase();
	return (
		(email && persons.find((person) => person.email?.toLowerCase() === address)) ||
		(phoneNumber && persons.find((person) => person.phoneNumber === phoneNumber)) ||
		(linkedinProfileUrl &&
			persons.find((person) => person.linkedinProfileUrl === linkedinProfileUrl)) ||
		undefined
	);
}

export const findLogOfKey = (
	logs: Collection<PersonLog>,
	idempotencyKey: string | undefined,
): PersonLog | undefined => (idempotencyKey === undefined ? undefined : logs.of(idempotencyKey)[0]);

export const findAccountOfDomain = (
	accounts: Collection<Account>,
	domain: string,
): Account | undefined => accounts.of(domain)[0];

/** A person's slug is the name with a running number, so that it is unique. */
export const slugPerson = (name: string, number: number): string => slugify(`${name} ${number}`);

/** A new page is a draft, because it has not been reviewed. */
export const statusOfNewPage: Page['status'] = 'draft';

/** Requests have no title, so a page takes it from its metadata, otherwise from its name. */
export const titlePage = (name: string, metadata: Page['metadata']): string =>
	metadata?.title ?? name;

/** Members of an action, widget, link or script that were not sent are returned empty. */
export const absentText = '';

/** A date still to come, or a form that was not submitted. Neither null nor absence is documented there. */
export const notHappened = '';

/** PATCH replaces metadata as a whole, except for the images, which no request can send. */
export const replaceMetadata = (former: Metadata | undefined, sent: Metadata): Metadata => {
	const { ogImageUrl, ogImageFileId, twitterImageUrl, twitterImageFileId } = former ?? {};
	const images = { ogImageUrl, ogImageFileId, twitterImageUrl, twitterImageFileId };
	const known = Object.entries(images).filter(([, value]) => value !== undefined);
	return { ...sent, ...Object.fromEntries(known) };
};

/** PATCH page link keeps the member of the target that was not sent. */
export const mergeTarget = (
	former: PageLink['target'],
	sent: Partial<PageLink['target']> = {},
): PageLink['target'] => ({ ...former, ...sent });

/** An audience's own metadata overrides that of its page, member by member. */
export const mergeMetadata = (page?: Metadata, override?: Metadata): Metadata => ({
	...page,
	...override,
});

/** An empty string in PATCH audience removes the override, because null cannot be sent. */
export const readOverride = (text: string): string | null => (text === '' ? null : text);

/** Archiving sets 'archived'. Restoring sets the status from before, or 'draft'. Repeating either changes nothing. */
export const statusOfArchived: AudienceStatus = 'archived';
export const statusOfRestored = (audience: Audience): AudienceStatus =>
	audience.statusBeforeArchive ?? 'draft';

/** `publishedVersion` is never null, so it is the last version if none was published. */
export const choosePublished = (versions: readonly AudienceVersion[]): AudienceVersion =>
	versions.findLast(({ status }) => status === 'published') ?? versions[versions.length - 1];

/** An unknown session returns `found: false` and an empty list. A 404 would leave `found` without a purpose. */
export const interactionsOfUnknownSession = { found: false, interactions: [] };

/** A session belongs to the period in which it started. */
export function isWithin(
	startMs: number | undefined,
	endMs: number | undefined,
	{ sessionDateEdges }: Guesses,
): (session: AudienceSession) => boolean {
	if (startMs === undefined && endMs === undefined) return () => true;
	// Moments are whole milliseconds, so the one next to an edge excludes it.
	const firstMs = (startMs ?? -Infinity) + (sessionDateEdges === 'excluded' ? 1 : 0);
	const lastMs = (endMs ?? Infinity) - (sessionDateEdges === 'included' ? 0 : 1);
	return ({ sessionStartedAt }) => {
		const startedMs = Date.parse(sessionStartedAt);
		return startedMs >= firstMs && startedMs <= lastMs;
	};
}

/** Rates are fractions from 0 to 1, and 0 without sessions. */
export const rate = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** A subscription with null `events` wants every kind, one with an empty list wants none. */
export const isSubscribedTo = (subscription: WebhookSubscription, kind: EventKind): boolean =>
	subscription.active && (subscription.events === null || subscription.events.includes(kind));

/** A delivery says what happened and when, with the data passed to the emitter. */
export const writeDeliveryBody = (
	eventId: string,
	kind: EventKind,
	occurredAt: string,
	data: Record<string, unknown>,
): Record<string, unknown> => ({ id: eventId, event: kind, tenantId, occurredAt, data });

/** Deliveries carry no signature and no event kind in their headers, because none is documented. */
export const deliveryHeaders = {
	'content-type': 'application/json',
	'user-agent': 'page-audience-sandbox',
};

/** What a visitor typed. Empty fields are absent. */
export type FormFields = Partial<Record<'name' | 'email' | 'company' | 'message', string>>;

/** The data of form.submitted: where the form was submitted, and its fields by name. */
export const writeFormSubmission = (
	{ formSubmissionId, audienceSessionId, audienceId, pageId, pageTitle, pageUrl }: AudienceSession,
	form: FormFields,
): Record<string, unknown> => ({
	formSubmissionId,
	audienceSessionId,
	audienceId,
	pageId,
	pageTitle,
	pageUrl,
	form,
});

/** The kind of a session's `formSubmissionIdentifier`. The form asks for an email address, not for a phone number. */
export const formIdentifierType = 'email';

/** Each field of a form becomes an interaction, because a session has no other place for names and messages. */
export const formComponentContext = 'form';
