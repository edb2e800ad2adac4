/*
 * THE SANDBOX'S GUESSES. The description of the API leaves the following open, and a stand-in has to do something.
 * The real service may do otherwise in every single point: nothing may be built on any of them.
 *
 * Without a line of code:
 * - IDs without a documented pattern look like those with one: a word and 26 letters or digits.
 * - No operation emits an event by itself: which one emits what is not documented. The form of the demo page emits
 *   form.submitted, adds a session to its page, and makes no person: that is left to who receives the event.
 * - A list in PATCH page takes the place of the former one: its members cannot be told apart.
 * - A person is linked to the account of the same domain, and a log of the person enters that account's activity.
 * - A log does not change the person that it is written for: it only has to find one.
 * - Two persons may share an address, two pages a name: no uniqueness is documented.
 * - `include` of the versions changes nothing: there is no telling what it would add.
 * - References in requests (headerActionId, brandId, target.audienceId) may point nowhere.
 */
import type { Collection } from './collection.mts';
import { Refusal, type BreachDetail } from './refusal.mts';
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
} from './records.mts';
import { slugify } from './slug.mts';

export * from './guesses/forms.mts';

/** Guesses that can be set otherwise for one sandbox, to see how a client takes it. */
export interface Guesses {
	/** How many records a list answers when no `limit` is sent: a common default. */
	defaultLimit: number;
	/** The greatest `limit`; more is refused, since a silent cut would hide a client's mistake. */
	maximumLimit: number;
	/**
	 * How lists 12 and 16 tell their end. The description says that `nextCursor` is optional there, so it is absent;
	 * 'null' is the other thing a service may well do, against its description.
	 */
	endOfOptionalCursor: 'absent' | 'null';
	/** Milliseconds until an event delivery is given up: as short as common webhook senders. */
	deliveryTimeoutMs: number;
}

export const defaultGuesses: Readonly<Guesses> = {
	defaultLimit: 25,
	maximumLimit: 100,
	endOfOptionalCursor: 'absent',
	deliveryTimeoutMs: 5000,
};

/** Errors: 401 for the key, 404 for an unknown record or endpoint, 415 for another content type, else 400. */
export interface ErrorBody {
	error: string;
	message: string;
	details?: BreachDetail[];
}

export const describeError = ({ code, message, details }: Refusal): ErrorBody => ({
	error: code,
	message,
	...(details ? { details } : {}),
});

/** One tenant: nothing in the API chooses between several. */
export const tenantId = 'tenant_northwind';

/** The longest request body: high enough for every honest record. */
export const maximumBodySize = '10mb';

/** Lists are in the order of creation, the oldest first, so that paging is stable while records are added. */
export const writeCursor = (position: number): string =>
	Buffer.from(`after:${position}`).toString('base64url');

/** A cursor of another form is refused: continuing somewhere would lose or double records silently. */
export function readCursor(cursor: string): number {
	const position = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
	if (position === undefined || writeCursor(Number(position)) !== cursor) {
		throw new Refusal(
			400,
			'invalid_request',
			`query/cursor '${cursor}' is not a cursor of this API`,
		);
	}
	return Number(position);
}

/** Only whole numbers in the range: `limit` and `offset` are documented as numbers and nothing more. */
export const isLimit = (limit: number, { maximumLimit }: Guesses): boolean =>
	Number.isInteger(limit) && limit >= 1 && limit <= maximumLimit;
export const isOffset = (offset: number): boolean => Number.isSafeInteger(offset) && offset >= 0;

/** Timestamps are RFC 3339 in UTC with milliseconds, the form that JSON writes a date in. */
export const writeMoment = (moment = new Date()): string => moment.toISOString();

/** A text is found anywhere and in any case; no text at all finds everything. */
const holds = (query: string, ...texts: (string | null)[]): boolean => {
	const wanted = query.trim().toLowerCase();
	return texts.some((text) => text?.toLowerCase().includes(wanted) ?? wanted === '');
};

/** Persons are searched by everything that names them. */
export const isPersonFound = (person: Person, query: string): boolean =>
	holds(query, person.name, person.email, person.domain, person.phoneNumber, person.slug);

/** Only "name or domain" is documented; in which way they match is not. */
export const isAccountFound = (account: Account, query: string): boolean =>
	holds(query, account.name, account.domain);

/** `includeEmptyOnly=true` leaves accounts without linked persons; any other value changes nothing. */
export const wantsEmptyOnly = (flag: string | undefined): boolean => flag === 'true';

/** `includeDeleted=true` lists deleted entries too; any other value does not. */
export const wantsDeleted = (flag: string | undefined): boolean => flag === 'true';

/** `includePersonActivity=false` leaves entries of persons out; without it nothing that happened is hidden. */
export const wantsPersonActivity = (flag: string | undefined): boolean => flag !== 'false';

/** The two kinds of entries; only the first is documented. */
export const accountActivityType = 'account-log-entry';
export const personActivityType = 'person-log-entry';

export const isPersonActivity = (entry: AccountActivity): boolean =>
	entry.activityType === personActivityType;

/** Relevancy: each word counts 3 in the name, 2 in the title and 1 in the context; 0 is not found. */
export function scorePage(page: Page, query: string): number {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return 1;
	const score = (text: string, weight: number) =>
		words.filter((word) => text.toLowerCase().includes(word)).length * weight;
	return score(page.name, 3) + score(page.title, 2) + score(page.pageContext, 1);
}

/** Domains are compared and kept in lower case without spaces around: the canonical form of a host name. */
export const canonicalDomain = (domain: string): string => domain.trim().toLowerCase();

const freeMail = new Set(['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'hotmail.com']);

/** A person without a domain gets that of the e-mail address, unless everybody can have an address there. */
export function domainOfEmail(email: string | undefined): string | null {
	const domain = canonicalDomain(email?.split('@')[1] ?? '');
	return domain === '' || freeMail.has(domain) ? null : domain;
}

/** Somebody who left no name is called by what is known: a person's name is never null. */
export const nameStranger = (name?: string, email?: string, phoneNumber?: string): string =>
	name ?? email?.split('@')[0] ?? phoneNumber ?? 'Unknown person';

export interface PersonMatch {
	email?: string;
	phoneNumber?: string;
	linkedinProfileUrl?: string;
}

/** Without a personId, a person is matched by e-mail address, then phone number, then LinkedIn URL. */
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

/** A repeat of an idempotency key, whatever else it says, is answered with the first log and stores nothing. */
export const findRepeat = (
	logs: Collection<PersonLog>,
	idempotencyKey: string | undefined,
): PersonLog | undefined => (idempotencyKey === undefined ? undefined : logs.of(idempotencyKey)[0]);

/** Creating an account whose domain has one answers that one unchanged: 200 and not 201 hints at it. */
export const findAccountOfDomain = (
	accounts: Collection<Account>,
	domain: string,
): Account | undefined => accounts.of(domain)[0];

/** A person's slug is the name and a running number, so that no two are the same. */
export const slugPerson = (name: string, number: number): string => slugify(`${name} ${number}`);

/** A new page is a draft: nothing else is safe before somebody has looked at it. */
export const statusOfNewPage: Page['status'] = 'draft';

/** The title of a page is that of its metadata, else its name: requests have no title. */
export const titlePage = (name: string, metadata: Page['metadata']): string =>
	metadata?.title ?? name;

/** Members of an action, widget, link or script that were not sent are answered as empty. */
export const absentText = '';

/** A moment that has not come, or a form that nobody sent: neither null nor absence is documented there. */
export const notHappened = '';

/** The image members, which no request can carry, outlast a PATCH of the metadata; the others are replaced as a whole. */
export const replaceMetadata = (former: Metadata | undefined, sent: Metadata): Metadata => {
	const { ogImageUrl, ogImageFileId, twitterImageUrl, twitterImageFileId } = former ?? {};
	const images = { ogImageUrl, ogImageFileId, twitterImageUrl, twitterImageFileId };
	const known = Object.entries(images).filter(([, value]) => value !== undefined);
	return { ...sent, ...Object.fromEntries(known) };
};

/** The target in PATCH page link keeps the member that was not sent. */
export const mergeTarget = (
	former: PageLink['target'],
	sent: Partial<PageLink['target']> = {},
): PageLink['target'] => ({ ...former, ...sent });

/** An audience shows the metadata of its page, each member replaced by its own. */
export const mergeMetadata = (page?: Metadata, override?: Metadata): Metadata => ({
	...page,
	...override,
});

/** An empty text in PATCH audience takes the override away: null cannot be sent. */
export const readOverride = (text: string): string | null => (text === '' ? null : text);

/** Archived or restored twice, it stays as it is. Archived it is 'archived', restored what it was before or a draft. */
export const statusOfArchived: AudienceStatus = 'archived';
export const statusOfRestored = (audience: Audience): AudienceStatus =>
	audience.statusBeforeArchive ?? 'draft';

/** The last version is answered as published where none was: `publishedVersion` is never null. */
export const choosePublished = (versions: readonly AudienceVersion[]): AudienceVersion =>
	versions.findLast(({ status }) => status === 'published') ?? versions[versions.length - 1];

/** A session that is not there is not found, with an empty list, and no 404: `found` must be good for something. */
export const interactionsOfUnknownSession = { found: false, interactions: [] };

/** A session counts by the moment at which it started; both ends are included. */
export const isWithin = (
	session: AudienceSession,
	startMs: number | undefined,
	endMs: number | undefined,
): boolean => {
	const startedMs = Date.parse(session.sessionStartedAt);
	return (
		(startMs === undefined || startedMs >= startMs) && (endMs === undefined || startedMs <= endMs)
	);
};

/** Rates are fractions from 0 to 1, and 0 without sessions. */
export const rate = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** A subscription whose `events` is null listens to every kind: null is no choice, an empty array is none. */
export const isSubscribedTo = (subscription: WebhookSubscription, kind: EventKind): boolean =>
	subscription.active && (subscription.events === null || subscription.events.includes(kind));

/** The payload of a delivery: what happened, when, and the data that the emitter was given. */
export const describeEvent = (
	eventId: string,
	kind: EventKind,
	occurredAt: string,
	data: Record<string, unknown>,
): Record<string, unknown> => ({ id: eventId, event: kind, tenantId, occurredAt, data });

/** The headers of a delivery: no signature and no event kind, since none is documented. */
export const deliveryHeaders = {
	'content-type': 'application/json',
	'user-agent': 'page-audience-sandbox',
};
