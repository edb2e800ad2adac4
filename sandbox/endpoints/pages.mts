import { recordNotFound } from '../api/errors.mts';
import {
	isBefore,
	replaceMetadata,
	scorePage,
	statusOfNewPage,
	tenantId,
	titlePage,
	writeMoment,
} from '../guesses.mts';
import type { Metadata, Page, PageType } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import {
	completeActions,
	completeFooterLinks,
	completeScripts,
	completeWidgets,
	type ActionCardWidgetInput,
	type FooterLinkGroupInput,
	type PageActionInput,
	type ScriptInput,
} from './pageParts.mts';
import { checkLimit } from './paging.mts';

interface PageCreate {
	actions: PageActionInput[];
	actionCardWidgets: ActionCardWidgetInput[];
	brandId: string;
	name: string;
	pageContext: string;
	pageType: PageType;
	scripts: ScriptInput[];
	footerLinks?: FooterLinkGroupInput[];
	headerActionId?: string;
	metadata?: Metadata;
}

type PageUpdate = Partial<Omit<PageCreate, 'headerActionId'>> & { headerActionId?: string | null };

export function findPage(store: Store, pageId: string): Page {
	const page = store.pages.get(pageId);
	if (!page) throw recordNotFound('Page', pageId);
	return page;
}

const formatPage = (store: Store, page: Page) => ({
	...page,
	audiencesCount: store.audiences.of(page.pageId).length,
});

export function createPage({ store, body }: Call<PageCreate>) {
	const createdAt = writeMoment();
	const page = store.pages.add({
		pageId: store.randomness.id('page'),
		tenantId,
		brandId: body.brandId,
		name: body.name,
		title: titlePage(body.name, body.metadata),
		pageContext: body.pageContext,
		pageType: body.pageType,
		status: statusOfNewPage,
		actions: completeActions(store, body.actions),
		actionCardWidgets: completeWidgets(body.actionCardWidgets),
		footerLinks: completeFooterLinks(store, body.footerLinks ?? []),
		scripts: completeScripts(body.scripts),
		...(body.headerActionId === undefined ? {} : { headerActionId: body.headerActionId }),
		...(body.metadata === undefined ? {} : { metadata: body.metadata }),
		createdAt,
		updatedAt: createdAt,
		archivedAt: null,
		deletedAt: null,
	});
	return formatPage(store, page);
}

export function updatePage({ store, params, body }: Call<PageUpdate>) {
	const page = findPage(store, params.page_id);
	const { actions, actionCardWidgets, footerLinks, scripts, headerActionId, metadata, ...rest } =
		body;
	Object.assign(page, rest, { updatedAt: writeMoment() });
	if (actions) page.actions = completeActions(store, actions);
	if (actionCardWidgets) page.actionCardWidgets = completeWidgets(actionCardWidgets);
	if (footerLinks) page.footerLinks = completeFooterLinks(store, footerLinks);
	if (scripts) page.scripts = completeScripts(scripts);
	if (metadata) page.metadata = replaceMetadata(page.metadata, metadata);
	if (headerActionId === null) delete page.headerActionId;
	else if (headerActionId !== undefined) page.headerActionId = headerActionId;
	if (rest.name !== undefined || metadata) page.title = titlePage(page.name, page.metadata);
	return formatPage(store, page);
}

export function searchPages({ store, query, guesses }: Call) {
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
