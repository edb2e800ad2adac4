import { locate, type CasesOf, type EndpointCase } from '../case.mts';

type Place = { page: string; audience: string };

export const audienceCases: CasesOf = (store) => {
	const places = (archived: boolean): [Place, Place] => {
		const found = store.audiences
			.all()
			.filter(({ archivedAt }) => (archivedAt !== null) === archived);
		const [first] = found;
		const second = found.find(({ pageId }) => pageId !== first.pageId);
		if (!second) throw new Error('The seed has too few audiences for this test');
		return [placeOf(first), placeOf(second)];
	};
	return [
		listAll(places(false)),
		update(places(false)),
		archive(places(false)),
		restore(places(true)),
		versions(places(false)),
	];
};

const placeOf = ({ pageId, audienceId }: { pageId: string; audienceId: string }): Place => ({
	page: pageId,
	audience: audienceId,
});
const pathOf = ({ page, audience }: Place): string => `/v0/pages/${page}/audiences/${audience}`;
const located = { resource: 'audience', pageId: locate('page'), audienceId: locate('audience') };

const listAll = ([one, two]: [Place, Place]): EndpointCase => ({
	endpoint: 'listAudiences',
	parameters: {
		resource: 'audience',
		operation: 'getAll',
		pageId: locate('page'),
		limit: '={{ $json.limit }}',
		simplify: false,
	},
	items: [
		{ page: one.page, limit: 2 },
		{ page: two.page, limit: 3 },
	],
	requests: [
		{ method: 'GET', path: `/v0/pages/${one.page}/audiences`, query: { limit: '2' } },
		{ method: 'GET', path: `/v0/pages/${two.page}/audiences`, query: { limit: '3' } },
	],
	outputs: [
		{ read: `/v0/pages/${one.page}/audiences?limit=2` },
		{ read: `/v0/pages/${two.page}/audiences?limit=3` },
	],
});

const update = ([one, two]: [Place, Place]): EndpointCase => ({
	endpoint: 'updateAudience',
	parameters: {
		...located,
		operation: 'update',
		updateFields: { customName: '={{ $json.name }}', actionUrlOverride: '={{ $json.url }}' },
		metadataOverride: { ogTitle: '={{ $json.title }}', robots: '={{ $json.robots }}' },
		fieldsToClear: ['supplementaryContext'],
	},
	items: [
		{
			...one,
			name: 'Enterprise',
			url: 'https://example.com/e',
			title: 'For you',
			robots: ['noindex'],
		},
		{ ...two, name: ' SMB ' },
	],
	requests: [
		{
			method: 'PATCH',
			path: pathOf(one),
			body: {
				customName: 'Enterprise',
				actionUrlOverride: 'https://example.com/e',
				metadataOverride: { ogTitle: 'For you', robots: ['noindex'] },
				supplementaryContext: '',
			},
		},
		{ method: 'PATCH', path: pathOf(two), body: { customName: ' SMB ', supplementaryContext: '' } },
	],
	outputs: [
		{ record: { audienceId: one.audience, customName: 'Enterprise', effectiveName: 'Enterprise' } },
		{ record: { audienceId: two.audience, customName: ' SMB ' } },
	],
});

const archive = ([one, two]: [Place, Place]): EndpointCase => ({
	endpoint: 'archiveAudience',
	parameters: { ...located, operation: 'archive' },
	items: [one, two],
	requests: [one, two].map((place) => ({ method: 'DELETE', path: pathOf(place) })),
	outputs: [
		{ record: { audienceId: one.audience, archivedAt: expect.any(String) } },
		{ record: { audienceId: two.audience, archivedAt: expect.any(String) } },
	],
});

const restore = ([one, two]: [Place, Place]): EndpointCase => ({
	endpoint: 'restoreAudience',
	parameters: { ...located, operation: 'restore' },
	items: [one, two],
	requests: [one, two].map((place) => ({
		method: 'POST',
		path: `${pathOf(place)}/restore`,
		body: {},
	})),
	outputs: [
		{ record: { audienceId: one.audience, archivedAt: null } },
		{ record: { audienceId: two.audience, archivedAt: null } },
	],
});

const versions = ([one, two]: [Place, Place]): EndpointCase => ({
	endpoint: 'listAudienceVersions',
	parameters: {
		...located,
		operation: 'getVersions',
		limit: 60,
		simplify: false,
		filters: { include: '={{ $json.include }}' },
		options: { pageSize: 50 },
	},
	items: [{ ...one, include: 'all' }, two],
	requests: [
		{ method: 'GET', path: `${pathOf(one)}/versions`, query: { limit: '50', include: 'all' } },
		{
			method: 'GET',
			path: `${pathOf(one)}/versions`,
			query: { limit: '50', include: 'all', cursor: expect.any(String) },
		},
		{ method: 'GET', path: `${pathOf(two)}/versions`, query: { limit: '50' } },
	],
	outputs: [
		{ read: `${pathOf(one)}/versions?limit=60` },
		{ read: `${pathOf(two)}/versions?limit=60` },
	],
});
