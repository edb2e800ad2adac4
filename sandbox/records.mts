export interface Person {
	personId: string;
	tenantId: string;
	name: string;
	email: string | null;
	domain: string | null;
	slug: string;
	phoneNumber: string | null;
	linkedinProfileUrl: string | null;
	createdAt: string;
	updatedAt: string;
}

/** The answer of endpoint 1, with what the sandbox keeps beside it to recognise a repeat. */
export interface PersonLog {
	personId: string;
	personLogId: string;
	createdAt: string;
	createdPerson: boolean;
	source: string;
	type: string;
	payload: Record<string, unknown>;
	idempotencyKey: string | null;
}

/** Linked persons are not kept here: they are those whose domain is the account's. */
export interface Account {
	accountId: string;
	tenantId: string;
	domain: string;
	name: string | null;
	createdAt: string;
	updatedAt: string;
	latestActivityAt: string | null;
}

export interface AccountActivity {
	activityId: string;
	activityType: string;
	accountId: string;
	accountLogId: string | null;
	personId: string | null;
	personLogId: string | null;
	personName: string | null;
	source: string;
	type: string;
	payload: Record<string, unknown>;
	idempotencyKey: string | null;
	createdAt: string;
	updatedAt: string;
	deletedAt: string | null;
}

export interface PageAction {
	actionId: string;
	actionIndex: number;
	purpose: string;
	buttonTitle: string;
	actionType: string;
	url: string;
}

export interface Image {
	altText: string;
	url: string;
	fileId: string;
	assetId: string;
}

export interface ActionCardWidget {
	type: string;
	title: string;
	logos: { image: Image }[];
}

export interface FooterLink {
	id: string;
	text: string;
	url: string;
}

export interface FooterLinkGroup {
	id: string;
	title: string;
	links: FooterLink[];
}

export interface Script {
	content: string;
	enabled: boolean;
	injectionPoint: string;
	name: string;
	description: string;
}

export interface Metadata {
	title?: string;
	description?: string;
	author?: string;
	canonicalUrl?: string;
	keywords?: string[];
	robots?: string[];
	ogTitle?: string;
	ogDescription?: string;
	ogImageAlt?: string;
	ogSiteName?: string;
	ogUrl?: string;
	ogType?: string;
	twitterCard?: string;
	twitterTitle?: string;
	twitterDescription?: string;
	twitterImageAlt?: string;
	twitterSite?: string;
	twitterCreator?: string;
	themeColor?: string;
	ogImageUrl?: string;
	ogImageFileId?: string;
	twitterImageUrl?: string;
	twitterImageFileId?: string;
}

export type PageType = 'inbound' | 'outbound' | 'call_followup' | 'sales_deck' | 'custom';

/** `audiencesCount` is counted when a page is answered. */
export interface Page {
	pageId: string;
	tenantId: string;
	brandId: string;
	name: string;
	title: string;
	pageContext: string;
	pageType: PageType;
	status: 'archived' | 'draft' | 'published';
	actions: PageAction[];
	actionCardWidgets: ActionCardWidget[];
	footerLinks: FooterLinkGroup[];
	scripts: Script[];
	headerActionId?: string;
	metadata?: Metadata;
	createdAt: string;
	updatedAt: string;
	archivedAt: string | null;
	deletedAt: string | null;
}

export type AudienceStatus =
	| 'archived'
	| 'cancelled'
	| 'draft'
	| 'pending'
	| 'processing'
	| 'published'
	| 'queued';

/** The names, versions and effective metadata are worked out when an audience is answered. */
export interface Audience {
	audienceId: string;
	pageId: string;
	tenantId: string;
	status: AudienceStatus;
	statusBeforeArchive: AudienceStatus | null;
	computedName: string;
	customName: string | null;
	isNewPageAgent: boolean;
	prospectId: string | null;
	prospectRouteKey: string | null;
	actionFormIdOverride: string | null;
	actionFormInstructionsOverride: string | null;
	actionUrlOverride: string | null;
	supplementaryContext: string | null;
	metadataOverride?: Metadata;
	createdAt: string;
	archivedAt: string | null;
}

export interface AudienceVersion {
	versionId: string;
	versionNumber: number;
	audienceId: string;
	tenantId: string;
	status: string;
	isNewPageAgent: boolean;
	supplementaryContext: string;
	createdAt: string;
	queuedAt: string;
	becameDraftAt: string;
	publishedAt: string;
	cancelledAt: string;
	obsoleteAt: string;
	archivedAt: string;
	queueDurationMs: number;
}

export interface AudienceSession {
	audienceSessionId: string;
	analyticsSessionId: string;
	audienceId: string;
	pageId: string;
	pageTitle: string;
	pageUrl: string;
	computationStatus: string;
	formSubmissionId: string;
	formSubmissionEmail: string;
	formSubmissionPhone: string;
	formSubmissionIdentifier: string;
	formSubmissionIdentifierType: string;
	hasConversion: boolean;
	hasFormSubmit: boolean;
	isBounce: boolean;
	maxScrollDepthPercentage: number;
	questionsAskedCount: number;
	totalClicksCount: number;
	timeSpentSeconds: number;
	sessionStartedAt: string;
	sessionEndedAt: string;
	utmCampaign: string;
	utmContent: string;
	utmMedium: string;
	utmSource: string;
	utmTerm: string;
}

export interface SessionInteraction {
	componentContext: string;
	componentId: string;
	groundingChunkIds: string[];
	label: string;
	options: string[];
	responseText: string;
	timestamp: number;
}

/** The session's ID is not part of an interaction's documented shape; it is what they are grouped by. */
export interface RecordedInteraction {
	audienceSessionId: string;
	interaction: SessionInteraction;
}

export interface PageLink {
	pageLinkId: string;
	tenantDomainId: string | null;
	path: string;
	target: { targetType: string; audienceId: string };
	createdAt: string;
	updatedAt: string;
	deletedAt: string | null;
}

export const eventKinds = [
	'page.version.created',
	'page.version.processed',
	'page.version.published',
	'form.submitted',
	'form.enriched',
	'form.enrichment_failed',
] as const;

export type EventKind = (typeof eventKinds)[number];

export interface WebhookSubscription {
	subscriptionId: string;
	url: string;
	events: EventKind[] | null;
	active: boolean;
	createdAt: string;
	updatedAt: string;
}
