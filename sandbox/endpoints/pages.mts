import { found } from '../errors.mts';
import { isBefore, tenantId, writeMoment } from '../guesses.mts';
import type { PageCreate } from '../openapi.d.mts';
import type { Metadata, Page } from '../records.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { checkLimit } from './paging.mts';

export const findPage = (store: Store, pageId: string): Page =>
	found(store.pages.get(pageId), 'Page', pageId);

const formatPage = (store: Store, page: Page) => ({
	...page,
	audiencesCount: store.audiences.of(page.pageId).length,
});

/** Requests have no title. */
const titleOf = ({ name, metadata }: Pick<Page, 'name' | 'metadata'>): string =>
	metadata?.title ?? name;

/** Keeps the images, which no request can send. */
export function replaceMetadata(former: Metadata | undefined, sent: Metadata): Metadata {
	const { ogImageUrl, ogImageFileId, twitterImageUrl, twitterImageFileId } = former ?? {};
	const images = { ogImageUrl, ogImageFileId, twitterImageUrl, twitterImageFileId };
	const known = Object.entries(images).filter(([, value]) => value !== undefined);
	return { ...sent, ...Object.fromEntries(known) };
}

type Lists = Pick<Page, 'actions' | 'actionCardWidgets' | 'footerLinks' | 'scripts'>;

/** The lists of a page that were sent. Members that were not sent are empty, and IDs new. */
function completeLists(
	{ randomness }: Store,
	{ actions, actionCardWidgets, footerLinks, scripts }: Partial<PageCreate>,
): Partial<Lists> {
	const lists = {
		actions: actions?.map((action, actionIndex) => ({
			actionId: randomness.id('action'),
			actionIndex,
			...{ purpose: '', buttonTitle: '', actionType: '', url: '' },
			...action,
		})),
		actionCardWidgets: actionCardWidgets?.map(({ type = '', title = '', logos = [] }) => ({
			type,
			title,
			logos: logos.map(({ image }) => ({
				image: { altText: '', url: '', fileId: '', assetId: '', ...image },
			})),
		})),
		footerLinks: footerLinks?.map(({ id = randomness.id('footer'), title = '', links = [] }) => ({
			id,
			title,
			links: links.map((link) => ({ id: randomness.id('link'), text: '', url: '', ...link })),
		})),
		scripts: scripts?.map((script) => ({
			...{ content: '', enabled: false, injectionPoint: '', name: '', description: '' },
			...script,
		})),
	};
	const sent = Object.entries(lists).filter(([, list]) => list !== undefined);
	return Object.fromEntries(sent) as Partial<Lists>;
}

const noLists: Lists = { actions: [], actionCardWidgets: [], footerLinks: [], scripts: [] };

export function createPage({ store, body }: Call<'createPage'>) {
	const { brandId, name, pageContext, pageType, headerActionId, metadata } = body;
	const createdAt = writeMoment();
	const page = store.pages.add({
		pageId: store.randomness.id('page'),
		tenantId,
		brandId,
		name,
		title: titleOf(body),
		pageContext,
		pageType,
		status: 'draft',
		...noLists,
		...completeLists(store, body),
		...(headerActionId !== undefined && { headerActionId }),
		...(metadata && { metadata }),
		createdAt,
		updatedAt: createdAt,
		archivedAt: null,
		deletedAt: null,
	});
	return formatPage(store, page);
}

export function updatePage({ store, params, body }: Call<'updatePage'>) {
	const page = findPage(store, params.page_id);
	const { headerActionId, metadata, ...rest } = body;
	Object.assign(page, rest, completeLists(store, rest), { updatedAt: writeMoment() });
	if (metadata) page.metadata = replaceMetadata(page.metadata, metadata);
	if (headerActionId === null) delete page.headerActionId;
	else if (headerActionId !== undefined) page.headerActionId = headerActionId;
	if (rest.name !== undefined || metadata) page.title = titleOf(page);
	return formatPage(store, page);
}

/** Each word of a query scores 3 in the name, 2 in the title and 1 in the context. Pages with 0 are not found. */
function scorePage({ name, title, pageContext }: Page, query: string): number {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const score = (text: string, weight: number) =>
		words.filter((word) => text.toLowerCase().includes(word)).length * weight;
	return words.length === 0 ? 1 : score(name, 3) + score(title, 2) + score(pageContext, 1);
}

export function searchPages({ store, query, guesses }: Call<'searchPages'>) {
	const limit = checkLimit(query.limit, guesses);
	const isSearchable = isBefore(guesses.searchLagMs);
	const items = store.pages
		.all()
		.filter(({ updatedAt }) => isSearchable(updatedAt))
		.map((page) => ({ page, score: scorePage(page, query.query ?? '') }))
		.filter(({ score }) => score > 0)
		.sort((one, other) => other.score - one.score)
		.slice(0, limit)
		.map(({ page: { pageId, name } }) => ({
			pageId,
			name,
			audiencesCount: store.audiences.of(pageId).length,
		}));
	return { items };
}
