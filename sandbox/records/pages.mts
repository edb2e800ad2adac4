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

/** As stored. Responses add `audiencesCount`. */
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

export interface PageLink {
	pageLinkId: string;
	tenantDomainId: string | null;
	path: string;
	target: { targetType: string; audienceId: string };
	createdAt: string;
	updatedAt: string;
	deletedAt: string | null;
}
