import type { Metadata } from './pages.mts';

export type AudienceStatus =
	| 'archived'
	| 'cancelled'
	| 'draft'
	| 'pending'
	| 'processing'
	| 'published'
	| 'queued';

/** As stored. Responses add the effective name, the versions and the effective metadata. */
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

/** The documented interaction has no session ID. The store needs one to group interactions. */
export interface RecordedInteraction {
	audienceSessionId: string;
	interaction: SessionInteraction;
}
