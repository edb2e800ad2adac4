import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { at, GET, PATCH, POST } from '../../api/request';
import { readItems } from '../../api/response';
import { namingText } from '../../parameters/checks';
import { textField } from '../../parameters/fields';
import { pageId } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { pageShape } from '../../records/shapes';
import { defineOperation, type Operation } from '../operation/operation';
import { keepEmpty, limit, ownOptions } from '../operation/sharedParameters';
import {
	additionalFields,
	buildUpdate,
	fieldsToClear,
	updateFields,
	withoutEmpty,
} from './collections';
import { tellMistakes } from './liveChecks';
import { metadataParameter } from './metadata';
import { getAnalyticsSummary } from './pageAnalytics';
import * as fields from './pageFields';
import { pageChecks, readPage } from './pageJson';
import * as parts from './pageParts';

const required = ['name', 'brandId', 'pageContext', 'actions'];

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create page',
	description: 'Create a page with at least one action',
	forModels: 'Needs at least one action. No operation lists brands: ask the user for brandId.',
	properties: [
		fields.specifyBody,
		fields.jsonBody,
		{ ...fields.pageName, required: true, ...fields.inFields },
		{ ...fields.brandId, required: true, ...fields.inFields },
		{ ...fields.pageContext, required: true, ...fields.inFields },
		{ ...parts.actions, ...fields.inFields },
		{
			...additionalFields,
			...fields.inFields,
			options: [
				parts.actionCardWidgets,
				parts.footerLinks,
				fields.headerActionId,
				metadataParameter,
				fields.pageType,
				parts.scripts,
			],
		},
	],
	checks: { ...pageChecks, additionalFields: pageChecks },
	writes: { id: 'pageId' },
	request: (
		{ specifyBody, jsonBody, name, brandId, pageContext, actions, additionalFields = {} },
		source,
	) => {
		const { headerActionId, metadata, pageType = 'inbound', ...more } = additionalFields;
		const { footerLinks, ...lists } = parts.buildParts({ actions, ...more });
		const body: IDataObject =
			specifyBody === 'json'
				? // Lists that the API requires but that may be empty, and its documented default.
					{
						actionCardWidgets: [],
						scripts: [],
						pageType: 'inbound',
						...readPage(jsonBody, source, required),
					}
				: {
						...{ name, brandId, pageContext, pageType, headerActionId },
						...lists,
						...withoutEmpty({ footerLinks, metadata }),
					};
		if (Array.isArray(body.actions) && body.actions.length === 0)
			refuseItem('Actions', 'is empty: add at least one action');
		return POST(at.page`/pages`, tellMistakes(body, source.hint));
	},
	output: { shape: pageShape },
});

const search = defineOperation({
	name: 'Search',
	value: 'search',
	action: 'Search pages',
	description: 'Search pages by their content, best matches first',
	forModels:
		'The only operation that finds pages. Audiences, sessions and analytics need the pageId that it returns.',
	properties: [
		textField('Query', 'query', 'Text to search for in the content of pages', {
			placeholder: 'e.g. spring campaign',
		}),
		limit,
		{ ...ownOptions, options: [keepEmpty] },
	],
	checks: { query: namingText },
	narrowedBy: { query: 'enter a text that the page contains' },
	request: ({ query, limit }) => GET(at.page`/pages/search`, { query, limit }),
	records: readItems,
});

/** Above Update Fields, because a tooltip is read too late. */
const listNotice = {
	displayName:
		'Lists and metadata below may replace what the page has: include every entry that you want to keep, with all its fields.',
	name: 'listNotice',
	type: 'notice',
	default: '',
	...fields.inFields,
} as const satisfies INodeProperties;

const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update page',
	description: 'Change a page. Fields you leave out stay unchanged.',
	properties: [
		pageId,
		fields.specifyBody,
		{ ...fields.jsonBody, hint: 'A list or metadata may replace the current one' },
		listNotice,
		{
			...updateFields,
			...fields.inFields,
			options: [
				parts.actionCardWidgets,
				parts.actions,
				fields.brandId,
				{
					...fieldsToClear,
					options: [
						{ name: 'Action Card Widgets', value: 'actionCardWidgets' },
						{ name: 'Actions', value: 'actions' },
						{ name: 'Footer Links', value: 'footerLinks' },
						{ name: 'Header Action ID', value: 'headerActionId' },
						{ name: 'Scripts', value: 'scripts' },
					],
				},
				parts.footerLinks,
				fields.headerActionId,
				{
					...metadataParameter,
					description:
						'Information for search engines and social networks. Include every field to keep: the service may replace all metadata.',
				},
				fields.pageName,
				fields.pageContext,
				fields.pageType,
				parts.scripts,
			],
		},
	],
	keepsWhole: ['updateFields.metadata'],
	checks: { ...pageChecks, updateFields: pageChecks },
	writes: { id: 'pageId', changes: ({ pageId: id }) => [`page ${id}`] },
	request: ({ pageId: id, specifyBody, jsonBody, updateFields = {} }, source) => {
		const {
			fieldsToClear = [],
			actions,
			actionCardWidgets,
			footerLinks,
			scripts,
			...set
		} = updateFields;
		const { metadata, ...texts } = set;
		const lists = parts.buildParts({ actions, actionCardWidgets, footerLinks, scripts });
		// `sandbox/openapi.yaml` allows null only for headerActionId. An empty list clears a list.
		const cleared = Object.fromEntries(
			fieldsToClear.map((name) => [name, name === 'headerActionId' ? null : []]),
		);
		const body =
			specifyBody === 'json'
				? buildUpdate(readPage(jsonBody, source))
				: buildUpdate({ ...texts, ...withoutEmpty({ ...lists, metadata }) }, cleared);
		return PATCH(at.page`/pages/${id}`, tellMistakes(body, source.hint));
	},
	output: { shape: pageShape },
});

export const page: Operation[] = [create, getAnalyticsSummary, search, update];
