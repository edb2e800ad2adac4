import type { Audience, PageLink } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { momentAfter } from './calendar.mts';

/** The next link to an audience. Every third has no domain of its own, and one was deleted. */
export function makePageLink({ pageLinks, randomness }: Store, { audienceId }: Audience): PageLink {
	const number = pageLinks.size;
	const createdAt = momentAfter(30_000 + number * 61);
	return {
		pageLinkId: randomness.id('pagelink'),
		tenantDomainId: number % 3 === 2 ? null : 'tenantdomain_pages_northwind',
		path: `/offer/${number + 1}`,
		target: { targetType: 'audience', audienceId },
		createdAt,
		updatedAt: createdAt,
		deletedAt: number === 5 ? momentAfter(31_000) : null,
	};
}
