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

const replaces = 'Replaces the whole list. Include the entries to keep.';

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update page',
		description: 'Change a page. Fields you leave out stay unchanged.',
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
		// `sandbox/openapi.yaml` allows null only for headerActionId. An empty list clears a list.
		const cleared = Object.fromEntries(
			fieldsToClear.map((name) => [name, name === 'headerActionId' ? null : []]),
		);
		const body =
			specifyBody === 'json'
				? buildUpdate(checkPage(withoutResponseFields(jsonBody)), {}, 'JSON')
				: buildUpdate(
						{ ...updateFields, ...withoutEmpty({ ...buildParts(rows), metadata }) },
						cleared,
					);
		return { method: 'PATCH', path: path`/pages/${id}`, body };
	},
	shape: pageShape,
	writesTo: ({ pageId: id }) => [`page ${id}`],
});
