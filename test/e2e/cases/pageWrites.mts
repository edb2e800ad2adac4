import type { CasesOf } from '../case.mts';
import { locate } from '../case.mts';

export const pageWriteCases: CasesOf = (store) => {
	const [first, second] = store.pages.all().map(({ pageId }) => pageId);
	return [
		{
			endpoint: 'createPage',
			parameters: {
				resource: 'page',
				operation: 'create',
				name: '={{ $json.name }}',
				brandId: '={{ $json.brand }}',
				pageContext: '={{ $json.context }}',
				pageType: '={{ $json.type }}',
				actions: {
					action: [
						{
							actionId: '={{ $json.action }}',
							purpose: 'demo',
							buttonTitle: 'Book a demo',
							actionType: 'link',
							url: '={{ $json.url }}',
						},
					],
				},
				metadata: { title: '={{ $json.name }}', keywords: '={{ $json.keywords }}' },
			},
			items: [
				{
					name: 'Spring',
					brand: 'brand_1',
					context: 'For spring',
					type: 'outbound',
					action: 'action_1',
					url: 'https://example.com/1',
					keywords: ['a', 'b'],
				},
				{
					name: 'Summer',
					brand: 'brand_2',
					context: 'For summer',
					type: 'custom',
					action: '',
					url: 'https://example.com/2',
					keywords: 'c, d',
				},
			],
			requests: [
				{
					method: 'POST',
					path: '/v0/pages',
					body: {
						name: 'Spring',
						brandId: 'brand_1',
						pageContext: 'For spring',
						pageType: 'outbound',
						actions: [
							{
								actionId: 'action_1',
								purpose: 'demo',
								buttonTitle: 'Book a demo',
								actionType: 'link',
								url: 'https://example.com/1',
							},
						],
						actionCardWidgets: [],
						scripts: [],
						metadata: { title: 'Spring', keywords: ['a', 'b'] },
					},
				},
				{
					method: 'POST',
					path: '/v0/pages',
					body: {
						name: 'Summer',
						brandId: 'brand_2',
						pageContext: 'For summer',
						pageType: 'custom',
						actions: [
							{
								purpose: 'demo',
								buttonTitle: 'Book a demo',
								actionType: 'link',
								url: 'https://example.com/2',
							},
						],
						actionCardWidgets: [],
						scripts: [],
						metadata: { title: 'Summer', keywords: ['c', 'd'] },
					},
				},
			],
			outputs: [
				{ record: { name: 'Spring', brandId: 'brand_1', pageType: 'outbound' } },
				{ record: { name: 'Summer', brandId: 'brand_2', pageType: 'custom' } },
			],
		},
		{
			endpoint: 'updatePage',
			parameters: {
				resource: 'page',
				operation: 'update',
				simplify: false,
				pageId: locate('page'),
				updateFields: { name: '={{ $json.name }}' },
				footerLinks: {
					group: [
						{
							id: 'legal',
							title: '={{ $json.title }}',
							links: { link: [{ id: 'imprint', text: 'Imprint', url: '={{ $json.url }}' }] },
						},
					],
				},
				fieldsToClear: ['headerActionId', 'scripts'],
			},
			items: [
				{ page: first, name: 'One', title: 'Legal', url: 'https://example.com/imprint' },
				{ page: second, name: 'Two', title: '', url: '' },
			],
			requests: [
				{
					method: 'PATCH',
					path: `/v0/pages/${first}`,
					body: {
						name: 'One',
						footerLinks: [
							{
								id: 'legal',
								title: 'Legal',
								links: [{ id: 'imprint', text: 'Imprint', url: 'https://example.com/imprint' }],
							},
						],
						headerActionId: null,
						scripts: [],
					},
				},
				{
					method: 'PATCH',
					path: `/v0/pages/${second}`,
					body: {
						name: 'Two',
						footerLinks: [
							{ id: 'legal', title: '', links: [{ id: 'imprint', text: 'Imprint', url: '' }] },
						],
						headerActionId: null,
						scripts: [],
					},
				},
			],
			outputs: [
				{ record: { pageId: first, name: 'One', scripts: [] } },
				{ record: { pageId: second, name: 'Two', scripts: [] } },
			],
		},
	];
};
