import { tenantId } from '../guesses.mts';
import type { Metadata, Page, PageAction, PageType } from '../records/index.mts';
import { slugify } from '../slug.mts';
import type { Store } from '../store/store.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';
import { sectors, topics } from './words.mts';

const pageTypes: readonly PageType[] = [
	'inbound',
	'outbound',
	'call_followup',
	'sales_deck',
	'custom',
];

const site = 'https://pages.northwind.example';

/** The next page. Every topic is written for every sector. */
export function makePage({ pages, randomness }: Store): Page {
	const number = pages.size;
	const [topic, buttonTitle, promise] = topics[number % topics.length];
	const sector = sectors[Math.floor(number / topics.length) % sectors.length];
	const title = `${topic} for ${sector}`;
	const slug = slugify(title);
	const createdAt = momentAfter(number * minutesBetweenRecords);
	const isArchived = number % 11 === 10;
	const archivedAt = isArchived ? momentAfter(60_000 + number) : null;
	const action: PageAction = {
		actionId: randomness.id('action'),
		actionIndex: 0,
		purpose: 'Get in touch',
		buttonTitle,
		actionType: 'link',
		url: `${site}/${slug}/contact`,
	};
	return {
		pageId: randomness.id('page'),
		tenantId,
		brandId: number % 3 === 0 ? 'brand_northwind' : 'brand_northwind_labs',
		name: title,
		title: `${title} | Northwind`,
		pageContext: `${promise}. For ${sector} that already know the product.`,
		pageType: pageTypes[number % pageTypes.length],
		status: isArchived ? 'archived' : number % 4 === 3 ? 'draft' : 'published',
		actions: [
			action,
			{
				...action,
				actionId: randomness.id('action'),
				actionIndex: 1,
				purpose: 'Learn more',
				buttonTitle: 'Learn more',
				url: `${site}/${slug}/more`,
			},
		],
		actionCardWidgets: number % 5 === 4 ? [] : [makeWidget(randomness.id('file'))],
		footerLinks: [makeFooter(randomness.id('footer'))],
		scripts: number % 2 === 0 ? [makeScript(number)] : [],
		...(number % 3 === 2 ? {} : { headerActionId: action.actionId }),
		...(number % 6 === 5
			? {}
			: { metadata: makeMetadata(title, promise, slug, randomness.id('file')) }),
		createdAt,
		updatedAt: archivedAt ?? createdAt,
		archivedAt,
		deletedAt: null,
	};
}

const makeWidget = (fileId: string) => ({
	type: 'logo-wall',
	title: 'Trusted by',
	logos: ['Kestrel Logistics', 'Oakmont Analytics'].map((company) => ({
		image: {
			altText: `Logo of ${company}`,
			url: `${site}/logos/${slugify(company)}.svg`,
			fileId,
			assetId: `asset_${slugify(company)}`,
		},
	})),
});

const makeFooter = (id: string) => ({
	id,
	title: 'Company',
	links: [
		{ id: `${id}_about`, text: 'About us', url: `${site}/about` },
		{ id: `${id}_privacy`, text: 'Privacy', url: `${site}/privacy` },
	],
});

const makeScript = (number: number) => ({
	content: `<script>window.dataLayer = window.dataLayer || []; // page ${number}</script>`,
	enabled: number % 4 === 0,
	injectionPoint: 'head',
	name: 'Tag manager',
	description: 'Counts visits after consent',
});

const makeMetadata = (
	title: string,
	description: string,
	slug: string,
	fileId: string,
): Metadata => ({
	title: `${title} | Northwind`,
	description,
	author: 'Northwind',
	canonicalUrl: `${site}/${slug}`,
	keywords: slug.split('-').slice(0, 3),
	robots: ['index', 'follow'],
	ogTitle: title,
	ogDescription: description,
	ogImageAlt: title,
	ogSiteName: 'Northwind',
	ogUrl: `${site}/${slug}`,
	ogType: 'website',
	twitterCard: 'summary',
	twitterTitle: title,
	twitterDescription: description,
	twitterImageAlt: title,
	twitterSite: '@northwind',
	twitterCreator: '@northwind',
	themeColor: '#1f4e79',
	ogImageUrl: `${site}/images/${slug}.png`,
	ogImageFileId: fileId,
	twitterImageUrl: `${site}/images/${slug}-card.png`,
	twitterImageFileId: fileId,
});
