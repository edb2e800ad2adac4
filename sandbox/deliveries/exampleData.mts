import type { EventKind } from '../records/index.mts';
import type { Store } from '../store/store.mts';

const submission = {
	formSubmissionId: 'submission_1',
	pageTitle: 'Product demo',
	form: { name: 'Nora Lindgren', email: 'nora.lindgren@fjordfreight.example' },
};

/** What the events after a submitted form add to it. */
export const enrichmentData = {
	'form.enriched': { company: { name: 'Fjord Freight', domain: 'fjordfreight.example' } },
	'form.enrichment_failed': { reason: 'no company found' },
} satisfies Partial<Record<EventKind, object>>;

export type EnrichmentKind = keyof typeof enrichmentData;

/** IDs of records that exist, so that a workflow can look them up. */
function describeLatestVersion({ audiences, versions }: Store): Record<string, unknown> {
	const [audience] = audiences.all();
	const { pageId, audienceId } = audience;
	const { versionId, versionNumber } = versions.of(audienceId)[versions.of(audienceId).length - 1];
	return { pageId, audienceId, versionId, versionNumber };
}

/** Example data for an event. What the real service sends is not documented. */
export function makeExampleData(store: Store, kind: EventKind): Record<string, unknown> {
	switch (kind) {
		case 'form.submitted':
			return submission;
		case 'form.enriched':
		case 'form.enrichment_failed':
			return { ...submission, ...enrichmentData[kind] };
		case 'page.version.created':
		case 'page.version.processed':
		case 'page.version.published':
			return describeLatestVersion(store);
	}
}
