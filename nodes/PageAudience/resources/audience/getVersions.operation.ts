import { path } from '../../../api/path';
import { trimmedText } from '../../../parameters/checks';
import { audienceId, pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { filters } from '../collections';
import { versionShape } from '../../../records/shapes';

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
					// `sandbox/openapi.yaml` has a string and names no accepted values.
					placeholder: 'e.g. true',
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
	paging: 'cursor',
	output: { shape: versionShape },
});
