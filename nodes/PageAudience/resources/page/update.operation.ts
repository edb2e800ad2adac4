import type { INodePropertyOptions } from 'n8n-workflow';
import { path } from '../../../api/path';
import { nonBlank, nonEmptyText } from '../../../parameters/checks';
import { pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { fieldsToClear, updateFields } from '../collections';
import { metadataParameter } from '../metadata';
import { buildUpdate, withoutEmpty } from '../updateBody';
import { buildParts } from './buildParts';
import * as fields from './fields';
import { checkPage, withoutResponseFields } from './jsonBody';
import { pageShape } from './page.shape';
import * as parts from './parts';

const replaces = 'Replaces the whole list; include the entries to keep.';

const clearable = [
	{ name: 'Action Card Widgets', value: 'actionCardWidgets' },
	{ name: 'Actions', value: 'actions' },
	{ name: 'Footer Links', value: 'footerLinks' },
	{ name: 'Header Action ID', value: 'headerActionId' },
	{ name: 'Scripts', value: 'scripts' },
] as const satisfies INodePropertyOptions[];

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update page',
		description: 'Change a page. What is not given stays as it is.',
	},
	properties: [
		pageId,
		fields.specifyBody,
		fields.jsonBody,
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
		{ ...parts.actions, ...fields.inFields, description: replaces },
		{ ...parts.actionCardWidgets, ...fields.inFields, description: replaces },
		{ ...parts.footerLinks, ...fields.inFields, description: replaces },
		{ ...parts.scripts, ...fields.inFields, description: replaces },
		{
			...metadataParameter,
			...fields.inFields,
			description:
				'What search engines and social networks are told. Whether the service keeps what is not given here is not documented.',
		},
		{
			...fieldsToClear,
			...fields.inFields,
			options: clearable,
		},
	],
	checks: { updateFields: { name: nonBlank(nonEmptyText), pageContext: nonEmptyText } },
	request: ({
		pageId: id,
		specifyBody,
		jsonBody = {},
		updateFields,
		metadata,
		fieldsToClear = [],
		...rows
	}) => {
		const body =
			specifyBody === 'json'
				? buildUpdate(checkPage(withoutResponseFields(jsonBody)), undefined, 'JSON')
				: buildUpdate(
						{ ...updateFields, ...withoutEmpty({ ...buildParts(rows), metadata }) },
						{
							clearable,
							names: fieldsToClear,
							// The API documents null for headerActionId only; a list is cleared by an empty one.
							empty: (name) => (name === 'headerActionId' ? null : []),
						},
					);
		return { method: 'PATCH', path: path`/pages/${id}`, body };
	},
	shape: pageShape,
	writesTo: ({ pageId: id }) => [`page ${id}`],
});
