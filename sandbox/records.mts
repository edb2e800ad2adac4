import type * as Api from './openapi.d.mts';

export type {
	AudienceSession,
	AudienceVersion,
	EventKind,
	Metadata,
	PageLink,
	Person,
	SessionInteraction,
	WebhookSubscription,
} from './openapi.d.mts';

// Some records are stored with less or more than responses have.

/** Without what is counted. */
export type Page = Omit<Api.Page, 'audiencesCount'>;

/** Without linked persons: they are the people with the account's domain. */
export type Account = Omit<Api.Account, 'linkedPersons'>;

export type Audience = Omit<
	Api.Audience,
	'effectiveName' | 'effectiveMetadata' | 'latestVersion' | 'publishedVersion'
> & { statusBeforeArchive: Api.AudienceStatus | null };

export type PersonLog = Api.PersonLog & {
	payload: Record<string, unknown>;
	idempotencyKey: string | null;
};

export type AccountActivity = Api.AccountActivity & {
	activityId: string;
	accountId: string;
	createdAt: string;
};

/** The documented interaction has no session ID. The store needs one to group interactions. */
export interface RecordedInteraction {
	audienceSessionId: string;
	interaction: Api.SessionInteraction;
}

export const eventKinds = [
	'page.version.created',
	'page.version.processed',
	'page.version.published',
	'form.submitted',
	'form.enriched',
	'form.enrichment_failed',
] as const satisfies Api.EventKind[];
