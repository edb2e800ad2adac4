import { notHappened, tenantId } from '../guesses.mts';
import type { Audience, AudienceVersion, Page, PageLink } from '../records.mts';
import type { Collections } from '../store/collections.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';

const statuses = [
	...(['published', 'published', 'published', 'draft', 'pending'] as const),
	...(['queued', 'processing', 'cancelled', 'archived'] as const),
];

/** The next audience of a page. On an outbound page it addresses one person. */
export function makeAudience(
	{ audiences, persons, randomness }: Collections,
	page: Page,
): Audience {
	const number = audiences.of(page.pageId).length;
	const person = page.pageType === 'outbound' ? randomness.pick(persons.all()) : null;
	const status = statuses[number % statuses.length];
	const hasForm = number % 9 === 4;
	const isOverridden = number % 7 === 3;
	return {
		audienceId: randomness.id('audience'),
		pageId: page.pageId,
		tenantId,
		status,
		statusBeforeArchive: status === 'archived' ? 'published' : null,
		computedName: person ? `${page.name}: ${person.name}` : `${page.name}, variant ${number + 1}`,
		customName: number % 5 === 2 ? `Campaign ${number + 1}` : null,
		isNewPageAgent: number % 2 === 0,
		prospectId: person?.personId ?? null,
		prospectRouteKey: person?.slug ?? null,
		actionFormIdOverride: hasForm ? randomness.id('form') : null,
		actionFormInstructionsOverride: hasForm ? 'Ask for the size of the team' : null,
		actionUrlOverride: isOverridden ? `https://pages.northwind.example/offer/${number}` : null,
		supplementaryContext: number % 3 === 0 ? 'Met at the spring conference' : null,
		...(isOverridden && { metadataOverride: { title: `Offer ${number}`, robots: ['noindex'] } }),
		createdAt: momentAfter(20_000 + number * minutesBetweenRecords),
		archivedAt: status === 'archived' ? momentAfter(70_000 + number) : null,
	};
}

/** The next version of an audience. Visitors see the last one. */
export function makeVersion(
	{ versions, randomness }: Collections,
	{ audienceId, isNewPageAgent, status, supplementaryContext }: Audience,
	isLast: boolean,
): AudienceVersion {
	const number = versions.of(audienceId).length + 1;
	const isArchived = !isLast || status === 'archived';
	const isPublished = isArchived || status === 'published';
	/** The time after the start, if it has come to that. */
	const moment = (minutes: number, hasHappened = true) =>
		hasHappened ? momentAfter(20_000 + number * 31 + minutes) : notHappened;
	return {
		versionId: randomness.id('version'),
		versionNumber: number,
		audienceId,
		tenantId,
		status: isArchived ? 'archived' : status,
		isNewPageAgent,
		supplementaryContext: supplementaryContext ?? notHappened,
		createdAt: moment(0),
		queuedAt: moment(0.02),
		becameDraftAt: moment(3),
		publishedAt: moment(12, isPublished),
		cancelledAt: moment(5, isLast && status === 'cancelled'),
		obsoleteAt: moment(31, !isLast),
		archivedAt: moment(32, isArchived),
		queueDurationMs: randomness.between(180, 4200),
	};
}

/** The next link to an audience. Every third has no domain of its own, and one was deleted. */
export function makePageLink(
	{ pageLinks, randomness }: Collections,
	{ audienceId }: Audience,
): PageLink {
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
