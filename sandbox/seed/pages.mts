import { slugify, tenantId } from '../guesses.mts';
import type { Metadata, Page } from '../records.mts';
import type { Collections } from '../store/collections.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';
import { sectors, topics } from './words.mts';

const pageTypes = ['inbound', 'outbound', 'call_followup', 'sales_deck', 'custom'] as const;
const site = 'https://pages.northwind.example';

export const urlOf = ({ name }: Pick<Page, 'name'>): string => `${site}/${slugify(name)}`;

/** The next page. Every topic is written for every sector. */
export function makePage({ pages, randomness }: Collections): Page {
	const number = pages.size;
	const [topic, buttonTitle, promise] = topics[number % topics.length];
	const sector = sectors[Math.floor(number / topics.length) % sectors.length];
	const name = `${topic} for ${sector}`;
	const createdAt = momentAfter(number * minutesBetweenRecords);
	const archivedAt = number % 11 === 10 ? momentAfter(60_000 + number) : null;
	const url = urlOf({ name });
	const contact = randomness.id('action');
	const pageId = randomness.id('page');
	return {
		pageId,
		tenantId,
		brandId: number % 3 === 0 ? 'brand_northwind' : 'brand_northwind_labs',
		name,
		title: `${name} | Northwind`,
		pageContext: `${promise}. For ${sector} that already know the product.`,
		pageType: pageTypes[number % pageTypes.length],
		status: archivedAt ? 'archived' : number % 4 === 3 ? 'draft' : 'published',
		actions: [
			{
				...{ actionId: contact, actionIndex: 0, purpose: 'Get in touch', buttonTitle },
				...{ actionType: 'link', url: `${url}/contact` },
			},
			{
				...{ actionId: randomness.id('action'), actionIndex: 1 },
				...{ purpose: 'Learn more', buttonTitle: 'Learn more' },
				...{ actionType: 'link', url: `${url}/more` },
			},
		],
		actionCardWidgets: number % 5 === 4 ? [] : [makeWidget(randomness.id('file'))],
		footerLinks: [makeFooter(randomness.id('footer'))],
		scripts: number % 2 === 0 ? [makeScript(number)] : [],
		...(number % 3 === 2 ? {} : { headerActionId: contact }),
		...(number % 6 === 5 ? {} : { metadata: makeMetadata(name, promise, randomness.id('file')) }),
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

function makeMetadata(name: string, description: string, fileId: string): Metadata {
	const url = urlOf({ name });
	const slug = slugify(name);
	return {
		title: `${name} | Northwind`,
		description,
		canonicalUrl: url,
		keywords: slug.split('-').slice(0, 3),
		robots: ['index', 'follow'],
		ogTitle: name,
		ogDescription: description,
		ogImageAlt: name,
		ogSiteName: 'Northwind',
		ogUrl: url,
		themeColor: '#1f4e79',
		ogImageUrl: `${site}/images/${slug}.png`,
		ogImageFileId: fileId,
		twitterImageUrl: `${site}/images/${slug}-card.png`,
		twitterImageFileId: fileId,
	};
}
