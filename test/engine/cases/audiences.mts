import type { IDataObject } from 'n8n-workflow';
import type { Case, Cases, Values } from './case.mts';

const locator = (expression: string) => ({ __rl: true, mode: 'id', value: expression });
const pageId = locator('={{ $json.page }}');
const audienceId = locator('={{ $json.audience }}');
const filters = { startDate: '={{ $json.from }}', endDate: '={{ $json.to }}' };
const limit = '={{ $json.limit }}';
const simplify = false;
const noPage: [IDataObject, string] = [{ page: '..' }, 'Page'];
const noAudience: [IDataObject, string] = [{ audience: '' }, 'Audience'];
const audienceAt = (v: Values) => `/v0/pages/${v.page}/audiences/${v.audience}`;

export function describeAudiences(cases: Cases): Case[] {
	return [
		cases.define('audience.getAll', { pageId, limit, simplify }, noPage, (v) => ({
			request: `GET /v0/pages/${v.page}/audiences`,
			query: `limit=${v.limit}`,
		})),
		cases.define(
			'audience.update',
			{
				simplify,
				pageId,
				audienceId,
				updateFields: { customName: '={{ $json.name }}', actionUrlOverride: '={{ $json.url }}' },
				metadataOverride: { robots: '={{ "index, " + $json.domain }}' },
				fieldsToClear: ['supplementaryContext'],
			},
			noAudience,
			(v) => ({
				request: `PATCH ${audienceAt(v)}`,
				body: {
					customName: v.name,
					actionUrlOverride: v.url,
					metadataOverride: { robots: ['index', v.domain] },
					supplementaryContext: '',
				},
			}),
		),
		cases.define('audience.archive', { pageId, audienceId }, noAudience, (v) => ({
			request: `DELETE ${audienceAt(v)}`,
		})),
		cases.define('audience.restore', { pageId, audienceId }, noAudience, (v) => ({
			request: `POST ${audienceAt(v)}/restore`,
			body: {},
		})),
		cases.define(
			'audience.getVersions',
			{ pageId, audienceId, limit, simplify, filters: { include: '= {{ $json.flag }} ' } },
			noAudience,
			(v) => ({
				request: `GET ${audienceAt(v)}/versions`,
				query: `include=${encodeURIComponent(v.flag)}&limit=${v.limit}`,
			}),
		),
		cases.define(
			'audienceSession.getAll',
			{ pageId, limit, simplify, filters },
			[{ to: 'x' }, 'Filters > End Date'],
			(v) => ({
				request: `GET /v0/pages/${v.page}/audience_sessions`,
				query: `${v.span}&limit=${v.limit}`,
			}),
		),
		cases.define(
			'audienceSession.getInteractions',
			{ audienceSessionId: '={{ $json.session }}' },
			[{ session: '' }, 'Audience Session'],
			(v) => ({ request: `GET /v0/audience_sessions/${v.session}/interactions` }),
		),
	];
}
