import { at, PATCH } from '../../api/request';
import { liveName } from '../../cells/livePage';
import { trimmedText } from '../../parameters/checks';
import { groupField, textField } from '../../parameters/fields';
import { optionalAudienceId, pageOfList } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { defineOperation, type Operation } from '../operation/operation';
import { buildUpdate, fieldsToClear, updateFields, withoutEmpty } from './collections';
import { tellMistakes } from './liveChecks';

const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update page link',
	description: 'Change the path, domain or target of a page link',
	forModels: 'No operation lists page links: ask the user for pageLinkId.',
	properties: [
		textField(
			'Page Link ID',
			'pageLinkId',
			'ID of the page link to update. Copy it from the service.',
			{ placeholder: 'e.g. pagelink_0123456789abcdefghijklmnop', required: true },
		),
		{
			...pageOfList,
			displayName: 'Page of Target Audience',
			description: 'Only used to load the list of audiences below',
		},
		{
			...updateFields,
			options: [
				textField('Path', 'path', 'Path on the domain', { placeholder: 'e.g. /spring' }),
				groupField('Target', 'target', 'What the link opens', [
					textField(
						'Target Type',
						'targetType',
						'Type of target. Required if you choose an audience.',
						{ placeholder: 'e.g. audience' },
					),
					{
						...optionalAudienceId,
						displayName: 'Audience ID',
						description:
							'The audience that the link opens. The list has the audiences of the page chosen above.',
					},
				]),
				textField('Tenant Domain ID', 'tenantDomainId', "ID of the link's domain"),
				{ ...fieldsToClear, options: [{ name: 'Tenant Domain ID', value: 'tenantDomainId' }] },
			],
		},
	],
	keepsWhole: ['updateFields.target'],
	checks: { updateFields: { path: liveName, target: { targetType: trimmedText } } },
	writes: { id: 'pageLinkId', changes: ({ pageLinkId }) => [`page link ${pageLinkId}`] },
	request: ({ pageLinkId, updateFields }, { hint }) => {
		const { target: { value: target } = {}, fieldsToClear = [], ...fields } = updateFields;
		// The service may store half of a target, and lose what the link opened.
		const { targetType = '', audienceId = '' } = target ?? {};
		if (audienceId && !targetType)
			refuseItem(
				'Update Fields > Target > Target Type',
				'is required with an audience: enter one, for example "audience"',
			);
		if (targetType.toLowerCase() === 'audience' && !audienceId)
			refuseItem(
				'Update Fields > Target > Audience ID',
				`is required with the target type "${targetType}": choose an audience`,
			);
		const cleared = Object.fromEntries(fieldsToClear.map((name) => [name, null]));
		const body = buildUpdate({ ...fields, ...withoutEmpty({ target }) }, cleared);
		return PATCH(at.pageLink`/page_links/${pageLinkId}`, tellMistakes(body, hint));
	},
});

export const pageLink: Operation[] = [update];
