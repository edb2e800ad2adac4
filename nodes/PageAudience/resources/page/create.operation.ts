import { path } from '../../../api/path';
import { nonBlank, nonEmptyText } from '../../../parameters/checks';
import { refuseItem } from '../../../parameters/problem';
import { defineOperation } from '../../operation/operation';
import { additionalFields } from '../collections';
import { metadataParameter } from '../metadata';
import { withoutEmpty } from '../updateBody';
import { buildParts } from './buildParts';
import * as fields from './fields';
import { readPage } from './jsonBody';
import { pageShape } from '../../../records/shapes';
import * as parts from './parts';

const required = ['name', 'brandId', 'pageContext', 'actions'];

export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create page',
		description: 'Create a page with its actions, widgets, links and scripts',
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
		fields.brandNotice,
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
	checks: { name: nonBlank(nonEmptyText) },
	writes: { id: 'pageId' },
	request: ({
		specifyBody,
		jsonBody,
		name,
		brandId,
		pageContext,
		pageType,
		metadata,
		additionalFields,
		...rows
	}) => {
		const { footerLinks, ...lists } = buildParts(rows);
		const body: Record<string, unknown> =
			specifyBody === 'json'
				? // Lists that the API requires but that may be empty, and its documented default.
					{
						actionCardWidgets: [],
						scripts: [],
						pageType: 'inbound',
						...readPage(jsonBody, required),
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
		return { method: 'POST', path: path`/pages`, body };
	},
	output: { shape: pageShape },
});
