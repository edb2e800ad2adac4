import type { DisplayCondition, INodeProperties } from 'n8n-workflow';
import { path } from '../../../api/path';
import { nonBlank, nonEmptyText } from '../../../parameters/checks';
import { pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { fieldsToClear, updateFields } from '../collections';
import { metadataNotice, metadataParameter } from '../metadata';
import { buildUpdate, withoutEmpty } from '../updateBody';
import { buildParts } from './buildParts';
import * as fields from './fields';
import { readPage } from './jsonBody';
import { pageShape } from '../../../records/shapes';
import * as parts from './parts';

const replaces = 'May replace the whole list. Include the entries to keep, with all their fields.';

/** Above a list as soon as it has an entry, because a tooltip is read too late. */
const listNotice = {
	displayName: '',
	name: 'listNotice',
	type: 'notice',
	default: '',
} as const satisfies INodeProperties;

const filled: [DisplayCondition] = [{ _cnd: { exists: true } }];
const { show } = fields.inFields.displayOptions;

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
		{
			...listNotice,
			displayName:
				'The actions below may replace all actions of the page. Include every entry to keep, with all its fields: a blank field empties it. To read the current entries, update only the name with Simplify off.',
			displayOptions: { show: { ...show, '/actions.action': filled } },
		},
		{ ...parts.actions, ...fields.inFields, description: replaces },
		{
			...listNotice,
			displayName:
				'The widgets below may replace all widgets of the page. Include every entry to keep, with all its fields: a blank field empties it. To read the current entries, update only the name with Simplify off.',
			displayOptions: { show: { ...show, '/actionCardWidgets.widget': filled } },
		},
		{ ...parts.actionCardWidgets, ...fields.inFields, description: replaces },
		{
			...listNotice,
			displayName:
				'The footer links below may replace all footer links of the page. Include every entry to keep, with all its fields: a blank field empties it. To read the current entries, update only the name with Simplify off.',
			displayOptions: { show: { ...show, '/footerLinks.group': filled } },
		},
		{ ...parts.footerLinks, ...fields.inFields, description: replaces },
		{
			...listNotice,
			displayName:
				'The scripts below may replace all scripts of the page. Include every entry to keep, with all its fields: a blank field empties it. To read the current entries, update only the name with Simplify off.',
			displayOptions: { show: { ...show, '/scripts.script': filled } },
		},
		{ ...parts.scripts, ...fields.inFields, description: replaces },
		{
			...metadataParameter,
			...fields.inFields,
			description:
				'Information for search engines and social networks. Include every field to keep: the service may replace all metadata.',
		},
		{ ...metadataNotice, ...fields.inFields },
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
	writes: { id: 'pageId', changes: ({ pageId: id }) => [`page ${id}`] },
	request: ({
		pageId: id,
		specifyBody,
		jsonBody,
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
				? buildUpdate(readPage(jsonBody), {}, ['JSON'])
				: buildUpdate(
						{ ...updateFields, ...withoutEmpty({ ...buildParts(rows), metadata }) },
						cleared,
						['Update Fields', 'the lists', 'Metadata', 'Fields to Clear'],
					);
		return { method: 'PATCH', path: path`/pages/${id}`, body };
	},
	output: { shape: pageShape },
});
