import type { INodeProperties } from 'n8n-workflow';
import { at, DELETE, GET, PATCH, POST } from '../../api/request';
import { liveName } from '../../cells/livePage';
import { include, textField } from '../../parameters/fields';
import { audienceId, pageId } from '../../parameters/locators';
import { audienceShape, versionShape } from '../../records/shapes';
import { defineOperation, type Operation } from '../operation/operation';
import { ownOptions } from '../operation/sharedParameters';
import { buildUpdate, fieldsToClear, updateFields, withoutEmpty } from './collections';
import { liveChecks, tellMistakes } from './liveChecks';
import { metadataParameter } from './metadata';

const writes = {
	id: 'audienceId',
	changes: ({ audienceId: id }: { audienceId: string }) => [`audience ${id}`],
};

const archive = defineOperation({
	name: 'Archive',
	value: 'archive',
	action: 'Archive audience',
	description: 'Archive an audience. Use Restore to bring it back.',
	properties: [pageId, audienceId],
	writes,
	request: (values) => DELETE(at.audience`/pages/${values.pageId}/audiences/${values.audienceId}`),
	output: { shape: audienceShape },
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many audiences',
	description: 'List the audiences of a page',
	properties: [pageId],
	request: ({ pageId: id }) => GET(at.page`/pages/${id}/audiences`),
	paging: 'cursor',
	output: { shape: audienceShape },
});

const getVersions = defineOperation({
	name: 'Get Versions',
	value: 'getVersions',
	action: 'Get audience versions',
	description: 'List the versions of an audience',
	properties: [pageId, audienceId, { ...ownOptions, options: [include] }],
	request: (values) =>
		GET(at.audience`/pages/${values.pageId}/audiences/${values.audienceId}/versions`, {
			include: values.options.include,
		}),
	paging: 'cursor',
	output: { shape: versionShape },
});

const restore = defineOperation({
	name: 'Restore',
	value: 'restore',
	action: 'Restore audience',
	description: 'Restore an archived audience',
	properties: [pageId, audienceId],
	writes,
	request: (values) => ({
		...POST(at.audience`/pages/${values.pageId}/audiences/${values.audienceId}/restore`, {}),
		// Restoring a restored audience changes nothing.
		repeatable: true,
	}),
	output: { shape: audienceShape },
});

const overrides = [
	textField(
		'Action Form ID Override',
		'actionFormIdOverride',
		"ID of the form to show instead of the page's form",
	),
	textField(
		'Action Form Instructions Override',
		'actionFormInstructionsOverride',
		"Form instructions to show instead of the page's instructions",
		{ typeOptions: { rows: 3 } },
	),
	textField(
		'Action URL Override',
		'actionUrlOverride',
		"URL that the button opens instead of the page's URL",
		{ placeholder: 'e.g. https://example.com/demo' },
	),
	textField('Custom Name', 'customName', 'Name to use instead of the computed name', {
		placeholder: 'e.g. Enterprise buyers',
	}),
	{
		...metadataParameter,
		displayName: 'Metadata Override',
		name: 'metadataOverride',
		description:
			"Metadata to use instead of the page's. Include every field to keep: the service may replace all metadata.",
	},
	textField(
		'Supplementary Context',
		'supplementaryContext',
		'Additional information about the audience',
		{ typeOptions: { rows: 4 } },
	),
] as const satisfies INodeProperties[];

/** Above Update Fields, because a tooltip is read too late. */
const metadataNotice = {
	displayName:
		'Metadata below may replace what the audience has: include every field that you want to keep.',
	name: 'metadataNotice',
	type: 'notice',
	default: '',
} as const satisfies INodeProperties;

const clearable = overrides.map(({ displayName, name }) => ({ name: displayName, value: name }));

const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update audience',
	description: 'Override page settings for one audience. Fields you leave out stay unchanged.',
	properties: [
		pageId,
		audienceId,
		metadataNotice,
		{
			...updateFields,
			options: [...overrides, { ...fieldsToClear, options: clearable }].sort((a, b) =>
				a.displayName.localeCompare(b.displayName),
			),
		},
	],
	keepsWhole: ['updateFields.metadataOverride'],
	checks: { updateFields: { ...liveChecks(overrides), customName: liveName } },
	writes,
	request: ({ updateFields, ...ids }, { hint }) => {
		const { metadataOverride, fieldsToClear = [], ...texts } = updateFields;
		// `sandbox/openapi.yaml` allows no null for these in a request.
		const cleared = fieldsToClear.map((name) => [name, name === 'metadataOverride' ? {} : '']);
		const set = tellMistakes({ ...texts, ...withoutEmpty({ metadataOverride }) }, hint);
		return PATCH(
			at.audience`/pages/${ids.pageId}/audiences/${ids.audienceId}`,
			buildUpdate(set, Object.fromEntries(cleared)),
		);
	},
	output: { shape: audienceShape },
});

export const audience: Operation[] = [archive, getAll, getVersions, restore, update];
