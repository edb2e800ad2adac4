import type { INodePropertyOptions } from 'n8n-workflow';

/** The event kinds of `sandbox/openapi.yaml`. */
export const eventKinds = [
	{ name: 'Form Enriched', value: 'form.enriched' },
	{ name: 'Form Enrichment Failed', value: 'form.enrichment_failed' },
	{ name: 'Form Submitted', value: 'form.submitted' },
	{ name: 'Page Version Created', value: 'page.version.created' },
	{ name: 'Page Version Processed', value: 'page.version.processed' },
	{ name: 'Page Version Published', value: 'page.version.published' },
] as const satisfies INodePropertyOptions[];

export type EventKind = (typeof eventKinds)[number]['value'];
