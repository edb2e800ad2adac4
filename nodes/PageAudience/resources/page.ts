import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { at } from '../../api/request';
import { readItems } from '../../api/response';
import { namingText } from '../../parameters/checks';
import { textField } from '../../parameters/fields';
import { pageId } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { pageShape } from '../../records/shapes';
import { defineOperation, type Resource } from '../operation/operation';
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
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create page',
		description: 'Create a page with at least one action',
		builderHint: {
			propertyHint:
				'Needs at least one action. No operation lists brands: ask the user for brandId.',
		},
	},
	properties: [
		fields.specifyBody,
		fields.jsonBody,
		{ ...fields.pageName, required: true, ...fields.inFields },
		{ ...fields.brandId, required: true, ...fields.inFields },
		{ ...fields.pageContext, required: true, ...fields.inFields },
		{ ...fields.pageType, ...fields.inFields },
		{ ...parts.actions, ...fields.inFields },
		{ ...parts.actionCardWidgets, ...fields.inFields },
		{ ...parts.footerLinks, ...fields.inFields },
		{ ...parts.scripts, ...fields.inFields },
		{ ...metadataParameter, ...fields.inFields },
		{
			...additionalFields,
			...fields.inFields,
			options: [fields.headerActionId],
		},
	],
	checks: pageChecks,
	writes: { id: 'pageId' },
	request: (
		{
			specifyBody,
			jsonBody,
			name,
			brandId,
			pageContext,
			pageType,
			metadata,
			additionalFields,
			...rows
		},
		source,
	) => {
		const { footerLinks, ...lists } = parts.buildParts(rows);
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
						...{ name, brandId, pageContext, pageType },
						...lists,
						...withoutEmpty({ footerLinks }),
						...withoutEmpty({ metadata }),
						...additionalFields,
					};
		if (Array.isArray(body.actions) && body.actions.length === 0)
			refuseItem('Actions', 'is empty: add at least one action');
		return { method: 'POST', ...at.page`/pages`, body: tellMistakes(body, source.hint) };
	},
	output: { shape: pageShape },
});

const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search pages',
		description: 'Search pages by their content, best matches first',
		builderHint: {
			propertyHint:
				'The only operation that finds pages. Audiences, sessions and analytics need the pageId that it returns.',
		},
	},
	properties: [
		textField('Query', 'query', 'Text to search for in the content of pages', {
			placeholder: 'e.g. spring campaign',
		}),
		limit,
		{ ...ownOptions, options: [keepEmpty] },
	],
	checks: { query: namingText },
	narrowedBy: { query: 'enter a text that the page contains' },
	request: ({ query, limit }) => ({
		method: 'GET',
		...at.page`/pages/search`,
		query: { query, limit },
	}),
	records: readItems,
});

/** Above the lists, because a tooltip is read too late. */
const listNotice = {
	displayName:
		'A list below may replace the whole list of the page, and the metadata all metadata. Include every entry to keep, with all its fields: a blank field empties it. To read the current entries, update only the name with Simplify off.',
	name: 'listNotice',
	type: 'notice',
	default: '',
	...fields.inFields,
} as const satisfies INodeProperties;

const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update page',
		description: 'Change a page. Fields you leave out stay unchanged.',
	},
	properties: [
		pageId,
		fields.specifyBody,
		{ ...fields.jsonBody, hint: 'A list or metadata may replace the current one' },
		{
			...updateFields,
			...fields.inFields,
			options: [
				fields.brandId,
				fields.headerActionId,
				fields.pageName,
				fields.pageContext,
				fields.pageType,
			],
		},
		listNotice,
		{ ...parts.actions, ...fields.inFields },
		{ ...parts.actionCardWidgets, ...fields.inFields },
		{ ...parts.footerLinks, ...fields.inFields },
		{ ...parts.scripts, ...fields.inFields },
		{
			...metadataParameter,
			...fields.inFields,
			description:
				'Information for search engines and social networks. Include every field to keep: the service may replace all metadata.',
		},
		{
			...fieldsToClear,
			...fields.inFields,
			options: [
				{ name: 'Action Card Widgets', value: 'actionCardWidgets' },
				{ name: 'Actions', value: 'actions' },
				{ name: 'Footer Links', value: 'footerLinks' },
				{ name: 'Header Action ID', value: 'headerActionId' },
				{ name: 'Scripts', value: 'scripts' },
			],
		},
	],
	keepsWhole: ['metadata'],
	checks: { ...pageChecks, updateFields: pageChecks },
	writes: { id: 'pageId', changes: ({ pageId: id }) => [`page ${id}`] },
	request: (
		{ pageId: id, specifyBody, jsonBody, updateFields, metadata, fieldsToClear = [], ...rows },
		source,
	) => {
		// `sandbox/openapi.yaml` allows null only for headerActionId. An empty list clears a list.
		const cleared = Object.fromEntries(
			fieldsToClear.map((name) => [name, name === 'headerActionId' ? null : []]),
		);
		const body =
			specifyBody === 'json'
				? buildUpdate(readPage(jsonBody, source))
				: buildUpdate(
						{ ...updateFields, ...withoutEmpty({ ...parts.buildParts(rows), metadata }) },
						cleared,
					);
		return { method: 'PATCH', ...at.page`/pages/${id}`, body: tellMistakes(body, source.hint) };
	},
	output: { shape: pageShape },
});

export const page: Resource = {
	option: { name: 'Page', value: 'page' },
	operations: [create, getAnalyticsSummary, search, update],
};
