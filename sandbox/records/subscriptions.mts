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
