import { found } from '../errors.mts';
import { writeMoment } from '../guesses.mts';
import type { Audience } from '../records.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { findPage, replaceMetadata } from './pages.mts';
import { takeByCursor, type CursorPage } from './paging.mts';

function findAudience(store: Store, params: Call<'updateAudience'>['params']): Audience {
	const { pageId } = findPage(store, params.page_id);
	const audience = store.audiences.get(params.audience_id);
	return found(audience?.pageId === pageId ? audience : undefined, 'Audience', params.audience_id);
}

function formatAudience(store: Store, { statusBeforeArchive: _, ...audience }: Audience) {
	const versions = store.versions.of(audience.audienceId);
	const latestVersion = versions[versions.length - 1];
	const { metadata } = findPage(store, audience.pageId);
	const { metadataOverride, customName, computedName } = audience;
	return {
		...audience,
		effectiveName: customName ?? computedName,
		latestVersion,
		publishedVersion: versions.findLast(({ status }) => status === 'published') ?? latestVersion,
		...((metadata || metadataOverride) && {
			effectiveMetadata: { ...metadata, ...metadataOverride },
		}),
	};
}

function omitNullCursor<T>({ nextCursor, ...page }: CursorPage<T>): object {
	return nextCursor === null ? page : { ...page, nextCursor };
}

export function listAudiences({ store, params, query, guesses }: Call<'listAudiences'>) {
	const { pageId } = findPage(store, params.page_id);
	const page = takeByCursor(store.audiences.of(pageId), query, guesses);
	const items = page.items.map((audience) => formatAudience(store, audience));
	return omitNullCursor({ ...page, items });
}

export function updateAudience({ store, params, body }: Call<'updateAudience'>) {
	const audience = findAudience(store, params);
	const { metadataOverride, ...texts } = body;
	for (const [name, text] of Object.entries(texts)) {
		// Null, which would remove an override, cannot be sent.
		Object.assign(audience, { [name]: text === '' ? null : text });
	}
	if (metadataOverride) {
		audience.metadataOverride = replaceMetadata(audience.metadataOverride, metadataOverride);
	}
	return formatAudience(store, audience);
}

export function archiveAudience({ store, params }: Call<'archiveAudience'>) {
	const audience = findAudience(store, params);
	if (audience.archivedAt === null) {
		audience.statusBeforeArchive = audience.status;
		audience.status = 'archived';
		audience.archivedAt = writeMoment();
	}
	return formatAudience(store, audience);
}

export function restoreAudience({ store, params }: Call<'restoreAudience'>) {
	const audience = findAudience(store, params);
	if (audience.archivedAt !== null) {
		audience.status = audience.statusBeforeArchive ?? 'draft';
		audience.statusBeforeArchive = null;
		audience.archivedAt = null;
	}
	return formatAudience(store, audience);
}

export function listAudienceVersions(call: Call<'listAudienceVersions'>) {
	const { store, params, query, guesses } = call;
	const { audienceId } = findAudience(store, params);
	return omitNullCursor(takeByCursor(store.versions.of(audienceId), query, guesses));
}
