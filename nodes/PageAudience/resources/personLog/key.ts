import type { INodeProperties, IDataObject } from 'n8n-workflow';
import type { ValuesOf } from '../../../parameters/values';
import { hashContent } from '../../../runtime/canonical';
import { ownOptions } from '../../operation/sharedParameters';

/** By which key the service, and a later run, recognize the entry. */
export const keyFields = [
	{
		displayName: 'Write',
		name: 'write',
		type: 'options',
		default: 'all',
		// An agent decides itself what to write.
		displayOptions: { hide: { '@tool': [true] } },
		description: 'Which records to send',
		options: [
			{ name: 'Everything', value: 'all', description: 'Send every item' },
			{
				name: 'Only What Was Not Written Before',
				value: 'changed',
				description:
					'Skip records that an earlier run has written. Use this for recurring syncs, such as a nightly one.',
				builderHint: {
					propertyHint:
						'Choose this for scheduled syncs that read the same records again. Do not put the node in a loop, and add no Remove Duplicates node.',
				},
			},
		],
	},
	{
		displayName: 'Record ID',
		name: 'recordId',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { write: ['changed'] } },
		placeholder: 'e.g. 4711',
		description:
			'ID of the record in its source, such as the contact in your CRM. Source, Type and Record ID identify a record.',
	},
	{
		displayName: 'Record Version',
		name: 'recordVersion',
		type: 'string',
		default: '',
		displayOptions: { show: { write: ['changed'] } },
		placeholder: 'e.g. 2026-01-31T09:30:00Z',
		hint: 'Leave empty to compare the content. A record that changes back to earlier content is then skipped.',
		description:
			'Value that changes with the record, such as its modification time. The record is sent when this value is new.',
	},
	{
		displayName: 'Idempotency Key',
		name: 'idempotency',
		type: 'options',
		default: 'auto',
		displayOptions: { hide: { write: ['changed'] } },
		description: 'Key by which the service can recognize an entry that was sent before',
		options: [
			{
				name: 'Automatic',
				value: 'auto',
				description:
					'One key per item and execution (per call in an AI tool), so that an entry can be resent after a lost connection',
			},
			{
				name: 'Custom',
				value: 'custom',
				description: 'Your own key, for example the ID of an event',
				builderHint: {
					propertyHint: 'Choose this if the source has an ID for the event or record.',
				},
			},
			{
				name: 'From Content',
				value: 'content',
				description: 'The same entry always has the same key',
				builderHint: {
					propertyHint:
						'Choose this for AI agents that may repeat a call. For scheduled syncs, set write to changed instead.',
				},
			},
			{
				name: 'None',
				value: 'none',
				description: 'Send no key. Requests are then not resent after a lost connection.',
			},
		],
	},
	{
		displayName: 'Custom Idempotency Key',
		name: 'idempotencyKey',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { idempotency: ['custom'] }, hide: { write: ['changed'] } },
		placeholder: 'e.g. evt-4711',
		description: 'Key of this entry, up to 255 characters',
	},
	{
		...ownOptions,
		options: [
			{
				displayName: 'Start Over',
				name: 'startOver',
				type: 'string',
				default: '',
				displayOptions: { show: { '/write': ['changed'] } },
				placeholder: 'e.g. corrected mapping',
				description:
					'Any text. Change it to send every record once more, for example after you correct the mapping.',
			},
		],
	},
] as const satisfies INodeProperties[];

/**
 * @param entry what is sent, without the key
 * @param makeKey makes a key of this item in this execution
 * @returns undefined for an entry without a key
 */
export function chooseKey(
	values: ValuesOf<[...typeof keyFields]>,
	entry: IDataObject & { source: string; type: string },
	makeKey: () => string,
): string | undefined {
	if (values.write === 'changed') {
		const { recordId, recordVersion, options } = values;
		const { source, type } = entry;
		// Without a Record Version, the content tells one version from another.
		const version = recordVersion === undefined ? { content: entry } : { version: recordVersion };
		return hashContent({ source, type, recordId, ...version, startOver: options.startOver });
	}
	return {
		auto: makeKey,
		content: () => hashContent(entry),
		custom: () => values.idempotencyKey,
		none: () => undefined,
	}[values.idempotency ?? 'auto']();
}
