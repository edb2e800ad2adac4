import { path } from '../../../api/path';
import { audienceId, pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { fieldsToClear, updateFields } from '../collections';
import { metadataNotice, metadataParameter } from '../metadata';
import { buildUpdate, withoutEmpty } from '../updateBody';
import { audienceShape } from '../../../records/shapes';

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update audience',
		description: 'Override page settings for one audience. Fields you leave out stay unchanged.',
	},
	properties: [
		pageId,
		audienceId,
		{
			...updateFields,
			options: [
				{
					displayName: 'Action Form ID Override',
					name: 'actionFormIdOverride',
					type: 'string',
					default: '',
					description: "ID of the form to show instead of the page's form",
				},
				{
					displayName: 'Action Form Instructions Override',
					name: 'actionFormInstructionsOverride',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					description: "Form instructions to show instead of the page's instructions",
				},
				{
					displayName: 'Action URL Override',
					name: 'actionUrlOverride',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/demo',
					description: 'URL to open when the action is triggered',
				},
				{
					displayName: 'Custom Name',
					name: 'customName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Enterprise buyers',
					description: 'Name to use instead of the computed name',
				},
				{
					displayName: 'Supplementary Context',
					name: 'supplementaryContext',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					description: 'Additional information about the audience',
				},
			],
		},
		{
			...metadataParameter,
			displayName: 'Metadata Override',
			name: 'metadataOverride',
			description:
				"Metadata to use instead of the page's. Include every field to keep: the service may replace all metadata.",
		},
		metadataNotice,
		{
			...fieldsToClear,
			options: [
				{ name: 'Action Form ID Override', value: 'actionFormIdOverride' },
				{ name: 'Action Form Instructions Override', value: 'actionFormInstructionsOverride' },
				{ name: 'Action URL Override', value: 'actionUrlOverride' },
				{ name: 'Custom Name', value: 'customName' },
				{ name: 'Supplementary Context', value: 'supplementaryContext' },
			],
		},
	],
	writes: { id: 'audienceId', changes: (values) => [`audience ${values.audienceId}`] },
	request: ({ updateFields, metadataOverride, fieldsToClear, ...ids }) => ({
		method: 'PATCH',
		path: path`/pages/${ids.pageId}/audiences/${ids.audienceId}`,
		body: buildUpdate(
			{ ...updateFields, ...withoutEmpty({ metadataOverride }) },
			// Empty strings: `sandbox/openapi.yaml` allows no null for these in a request.
			Object.fromEntries(fieldsToClear.map((name) => [name, ''])),
			['Update Fields', 'Metadata Override', 'Fields to Clear'],
		),
	}),
	output: { shape: audienceShape },
});
