import { found } from '../errors.mts';
import { writeMoment } from '../guesses.mts';
import type { PageLink } from '../records.mts';
import type { Call } from './call.mts';

export function updatePageLink({ store, params, body }: Call<'updatePageLink'>): PageLink {
	const link = found(store.pageLinks.get(params.page_link_id), 'Page link', params.page_link_id);
	const target = { ...link.target, ...body.target };
	return Object.assign(link, body, { target, updatedAt: writeMoment() });
}
