import { notHappened, tenantId } from '../guesses.mts';
import type { Audience, AudienceStatus, AudienceVersion, Page } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';

const statuses: readonly AudienceStatus[] = [
	'published',
	'published',
	'published',
	'draft',
	'pending',
	'queued',
	'processing',
	'cancelled',
	'archived',
];

/** The next audience of a page. On an outbound page it addresses one person. */
export function makeAudience({ audiences, persons, randomness }: Store, page: Page): Audience {
	const number = audiences.of(page.pageId).length;
	const person = page.pageType === 'outbound' ? randomness.pick(persons.all()) : null;
	const status = statuses[number % statuses.length];
	const computedName = person
		? `${page.name}: ${person.name}`
		: `${page.name}, variant ${number + 1}`;
	const isOverridden = number % 7 === 3;
	return {
		audienceId: randomness.id('audience'),
		pageId: page.pageId,
		tenantId,
		status,
		statusBeforeArchive: status === 'archived' ? 'published' : null,
		computedName,
		customName: number % 5 === 2 ? `Campaign ${number + 1}` : null,
		isNewPageAgent: number % 2 === 0,
		prospectId: person?.personId ?? null,
		prospectRouteKey: person?.slug ?? null,
		actionFormIdOverride: number % 9 === 4 ? randomness.id('form') : null,
		actionFormInstructionsOverride: number % 9 === 4 ? 'Ask for the size of the team' : null,
		actionUrlOverride: isOverridden ? `https://pages.northwind.example/offer/${number}` : null,
		supplementaryContext: number % 3 === 0 ? 'Met at the spring conference' : null,
		...(isOverridden
			? { metadataOverride: { title: `Offer ${number}`, robots: ['noindex'] } }
			: {}),
		createdAt: momentAfter(20_000 + number * minutesBetweenRecords),
		archivedAt: status === 'archived' ? momentAfter(70_000 + number) : null,
	};
}

/** The next version of an audience. Visitors see the last one. */
export function makeVersion(
	{ versions, randomness }: Store,
	audience: Audience,
	isLast: boolean,
): AudienceVersion {
	const number = versions.of(audience.audienceId).length + 1;
	const startMinute = 20_000 + number * 31;
	const wasArchived = !isLast || audience.status === 'archived';
	const wasPublished = audience.status === 'published' || audience.status === 'archived' || !isLast;
	return {
		versionId: randomness.id('version'),
		versionNumber: number,
		audienceId: audience.audienceId,
		tenantId,
		status: wasArchived ? 'archived' : audience.status,
		isNewPageAgent: audience.isNewPageAgent,
		supplementaryContext: audience.supplementaryContext ?? notHappened,
		createdAt: momentAfter(startMinute),
		queuedAt: momentAfter(startMinute + 0.02),
		becameDraftAt: momentAfter(startMinute + 3),
		publishedAt: wasPublished ? momentAfter(startMinute + 12) : notHappened,
		cancelledAt:
			audience.status === 'cancelled' && isLast ? momentAfter(startMinute + 5) : notHappened,
		obsoleteAt: isLast ? notHappened : momentAfter(startMinute + 31),
		archivedAt: wasArchived ? momentAfter(startMinute + 32) : notHappened,
		queueDurationMs: randomness.between(180, 4200),
	};
}
