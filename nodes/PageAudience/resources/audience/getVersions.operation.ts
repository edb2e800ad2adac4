import { cursor } from '../../../api/paginate';
import { path } from '../../../api/path';
import { trimmedText } from '../../../parameters/checks';
import { audienceId, pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { filters } from '../collections';
import { versionShape } from './version.shape';

export const getVersions = defineOperation({
	option: {
		name: 'Get Versions',
		value: 'getVersions',
		action: 'Get audience versions',
		description: 'List the versions of an audience',
	},
	properties: [
		pageId,
		audienceId,
		{
			...filters,
			options: [
				{
					displayName: 'Include',
					name: 'include',
					type: 'string',
					default: '',
					// `spec/api.md` shows a string without its accepted values.
					description: 'Sent as it is; the API does not document which values it accepts',
				},
			],
		},
	],
	checks: { filters: { include: trimmedText } },
	request: (values) => ({
		method: 'GET',
		path: path`/pages/${values.pageId}/audiences/${values.audienceId}/versions`,
		query: values.filters,
	}),
	paging: cursor,
	shape: versionShape,
});
