import { byId, type Definition, get, type Values } from './case.mts';

const pageId = byId('={{ $json.page }}');
const audienceId = byId('={{ $json.audience }}');
const limit = '={{ $json.limit }}';
const simplify = false;
const audienceAt = (v: Values) => `pages/${v.page}/audiences/${v.audience}`;

export const audiences: Definition[] = [
	{
		operation: 'audience.getAll',
		parameters: { pageId, limit, simplify },
		sends: (v) => get(`pages/${v.page}/audiences`, { limit: v.limit }),
	},
	{
		operation: 'audience.update',
		parameters: {
			simplify,
			pageId,
			audienceId,
			updateFields: {
				actionUrlOverride: '={{ $json.url }}',
				customName: '={{ $json.name }}',
				fieldsToClear: ['supplementaryContext'],
				metadataOverride: { robots: '={{ "index, " + $json.domain }}' },
			},
		},
		sends: (v) => ({
			request: `PATCH /v0/${audienceAt(v)}`,
			body: {
				customName: v.name,
				actionUrlOverride: v.url,
				metadataOverride: { robots: ['index', v.domain] },
				supplementaryContext: '',
			},
		}),
	},
	{
		operation: 'audience.archive',
		parameters: { pageId, audienceId, simplify },
		sends: (v) => ({ request: `DELETE /v0/${audienceAt(v)}` }),
	},
	{
		operation: 'audience.restore',
		parameters: { pageId, audienceId, simplify },
		sends: (v) => ({ request: `POST /v0/${audienceAt(v)}/restore`, body: {} }),
	},
	{
		operation: 'audience.getVersions',
		parameters: {
			pageId,
			audienceId,
			limit,
			simplify,
			options: { include: '= {{ $json.flag }} ' },
		},
		sends: (v) => get(`${audienceAt(v)}/versions`, { include: v.flag, limit: v.limit }),
	},
	{
		operation: 'audienceSession.getAll',
		parameters: {
			pageId,
			limit,
			simplify,
			filters: { startDate: '={{ $json.from }}', endDate: '={{ $json.to }}' },
		},
		sends: (v) => get(`pages/${v.page}/audience_sessions`, { ...v.span, limit: v.limit }),
	},
	{
		operation: 'audienceSession.getInteractions',
		parameters: { audienceSessionId: '={{ $json.session }}' },
		sends: (v) => get(`audience_sessions/${v.session}/interactions`),
		adds: (v) => ({ audienceSessionId: v.session }),
	},
];
