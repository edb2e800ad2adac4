import { recordNotFound } from '../api/errors.mts';
import { mergeTarget, writeMoment } from '../guesses.mts';
import type { PageLink } from '../records/index.mts';
import type { Call } from './call.mts';

interface PageLinkUpdate {
	tenantDomainId?: string | null;
	path?: string;
	target?: Partial<PageLink['target']>;
}

export function updatePageLink({ store, params, body }: Call<PageLinkUpdate>): PageLink {
	const link = store.pageLinks.get(params.page_link_id);
	if (!link) throw recordNotFound('Page link', params.page_link_id);
	const { target, ...rest } = body;
	return Object.assign(link, rest, {
		target: mergeTarget(link.target, target),
		updatedAt: writeMoment(),
	});
}
