import type { INodePropertyOptions } from 'n8n-workflow';
import { path } from '../../../api/path';
import { nonEmptyText } from '../../../parameters/checks';
import { defineOperation } from '../../operation/operation';
import { fieldsToClear, updateFields } from '../collections';
import { buildUpdate } from '../updateBody';

const clearable = [
	{ name: 'Tenant Domain ID', value: 'tenantDomainId' },
] as const satisfies INodePropertyOptions[];

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update page link',
		description: 'Change where a page link stands and what it points to',
		builderHint: {
			propertyHint: 'No operation lists page links: ask the user for pageLinkId.',
		},
	},
	properties: [
		{
			displayName: 'Page Link ID',
			name: 'pageLinkId',
			type: 'string',
			default: '',
			required: true,
			description:
				'The page link to change. The API cannot list page links; its ID comes from the service.',
		},
		{
			...updateFields,
			options: [
				{
					displayName: 'Path',
					name: 'path',
					type: 'string',
					default: '',
					placeholder: 'e.g. /spring',
					description: 'The path on the domain',
				},
				{
					displayName: 'Target',
					name: 'target',
					type: 'fixedCollection',
					default: {},
					placeholder: 'Add target',
					description: 'What the link points to',
					options: [
						{
							displayName: 'Target',
							name: 'value',
							values: [
								{
									displayName: 'Target Type',
									name: 'targetType',
									type: 'string',
									default: '',
									description:
										'The kind of target; the API does not document which values it accepts',
								},
								{
									displayName: 'Audience ID',
									name: 'audienceId',
									type: 'string',
									default: '',
									description:
										'The audience that the link shows; its ID comes from Audience > Get Many',
								},
							],
						},
					],
				},
				{
					displayName: 'Tenant Domain ID',
					name: 'tenantDomainId',
					type: 'string',
					default: '',
					description: 'The domain of the link',
				},
			],
		},
		{
			...fieldsToClear,
			options: clearable,
		},
	],
	checks: { updateFields: { path: nonEmptyText } },
	request: ({ pageLinkId, updateFields: { target, ...fields }, fieldsToClear }) => ({
		method: 'PATCH',
		path: path`/page_links/${pageLinkId}`,
		body: buildUpdate(
			{ ...fields, target: target?.value },
			{ clearable, names: fieldsToClear, empty: () => null },
		),
	}),
	writesTo: ({ pageLinkId }) => [`page link ${pageLinkId}`],
});
