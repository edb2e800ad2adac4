import type { INodePropertyOptions } from 'n8n-workflow';
import { path } from '../../../api/path';
import { audienceId, pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { fieldsToClear, updateFields } from '../collections';
import { metadataParameter } from '../metadata';
import { buildUpdate, withoutEmpty } from '../updateBody';
import { audienceShape } from './audience.shape';

const clearable = [
	{ name: 'Action Form ID Override', value: 'actionFormIdOverride' },
	{ name: 'Action Form Instructions Override', value: 'actionFormInstructionsOverride' },
	{ name: 'Action URL Override', value: 'actionUrlOverride' },
	{ name: 'Custom Name', value: 'customName' },
	{ name: 'Supplementary Context', value: 'supplementaryContext' },
] as const satisfies INodePropertyOptions[];

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update audience',
		description: 'Change what an audience overrides of its page. What is not given stays as it is.',
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
					description: 'The form to show in place of the one of the page',
				},
				{
					displayName: 'Action Form Instructions Override',
					name: 'actionFormInstructionsOverride',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					description: 'The instructions to show in place of those of the page',
				},
				{
					displayName: 'Action URL Override',
					name: 'actionUrlOverride',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/demo',
					description: 'The address to open when the action is triggered',
				},
				{
					displayName: 'Custom Name',
					name: 'customName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Enterprise buyers',
					description: 'The name of the audience, in place of the computed one',
				},
				{
					displayName: 'Supplementary Context',
					name: 'supplementaryContext',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					description: 'What else is known about the audience',
				},
			],
		},
		{
			...metadataParameter,
			displayName: 'Metadata Override',
			name: 'metadataOverride',
			description:
				'What search engines and social networks are told in place of the metadata of the page. Whether the service keeps what is not given here is not documented.',
		},
		{
			...fieldsToClear,
			options: clearable,
		},
	],
	request: ({ updateFields, metadataOverride, fieldsToClear, ...ids }) => ({
		method: 'PATCH',
		path: path`/pages/${ids.pageId}/audiences/${ids.audienceId}`,
		body: buildUpdate(
			{ ...updateFields, ...withoutEmpty({ metadataOverride }) },
			// Empty texts, because the API documents no null for these in a request.
			{ clearable, names: fieldsToClear, empty: () => '' },
		),
	}),
	shape: audienceShape,
	writesTo: (values) => [`audience ${values.audienceId}`],
});
