import { recordNotFound } from '../api/errors.mts';
import {
	choosePublished,
	mergeMetadata,
	readOverride,
	replaceMetadata,
	statusOfArchived,
	statusOfRestored,
	type Guesses,
	writeMoment,
} from '../guesses.mts';
import type { Audience, Metadata } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { findPage } from './pages.mts';
import { takeByCursor, type CursorPage } from './paging.mts';

interface AudienceUpdate {
	actionFormIdOverride?: string;
	actionFormInstructionsOverride?: string;
	actionUrlOverride?: string;
	customName?: string;
	metadataOverride?: Metadata;
	supplementaryContext?: string;
}

function findAudience(store: Store, params: Record<string, string>): Audience {
	const { pageId } = findPage(store, params.page_id);
	const audience = store.audiences.get(params.audience_id);
	if (audience?.pageId !== pageId) throw recordNotFound('Audience', params.audience_id);
	return audience;
}

function formatAudience(store: Store, { statusBeforeArchive: _, ...audience }: Audience) {
	const versions = store.versions.of(audience.audienceId);
	const metadata = findPage(store, audience.pageId).metadata;
	const latestVersion = versions[versions.length - 1];
	return {
		...audience,
		effectiveName: audience.customName ?? audience.computedName,
		latestVersion,
		publishedVersion: choosePublished(versions),
		...(metadata || audience.metadataOverride
			? { effectiveMetadata: mergeMetadata(metadata, audience.metadataOverride) }
			: {}),
	};
}

/** On these lists `nextCursor` is an optional string, so its absence marks the end. */
function omitNullCursor<T>({ nextCursor, ...page }: CursorPage<T>, guesses: Guesses): object {
	return nextCursor === null && guesses.endOfOptionalCursor === 'absent'
		? page
		: { ...page, nextCursor };
}

export function listAudiences({ store, params, query, guesses }: Call) {
	const { pageId } = findPage(store, params.page_id);
	const page = takeByCursor(store.audiences.of(pageId), query, guesses);
	const items = page.items.map((audience) => formatAudience(store, audience));
	return omitNullCursor({ ...page, items }, guesses);
}

export function updateAudience({ store, params, body }: Call<AudienceUpdate>) {
	const audience = findAudience(store, params);
	const { metadataOverride, ...texts } = body;
	for (const [name, text] of Object.entries(texts)) {
		Object.assign(audience, { [name]: readOverride(text) });
	}
	if (metadataOverride) {
		audience.metadataOverride = replaceMetadata(audience.metadataOverride, metadataOverride);
	}
	return formatAudience(store, audience);
}

export function archiveAudience({ store, params }: Call) {
	const audience = findAudience(store, params);
	if (audience.archivedAt === null) {
		audience.statusBeforeArchive = audience.status;
		audience.status = statusOfArchived;
		audience.archivedAt = writeMoment();
	}
	return formatAudience(store, audience);
}

export function restoreAudience({ store, params }: Call) {
	const audience = findAudience(store, params);
	if (audience.archivedAt !== null) {
		audience.status = statusOfRestored(audience);
		audience.statusBeforeArchive = null;
		audience.archivedAt = null;
	}
	return formatAudience(store, audience);
}

export function listAudienceVersions({ store, params, query, guesses }: Call) {
	const { audienceId } = findAudience(store, params);
	return omitNullCursor(takeByCursor(store.versions.of(audienceId), query, guesses), guesses);
}
