import { path } from '../../../api/path';
import { readRecord, readRecords } from '../../../api/response';
import { audienceSessionId, pageOfList } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { ownOptions } from '../collections';

export const getInteractions = defineOperation({
	option: {
		name: 'Get Interactions',
		value: 'getInteractions',
		action: 'Get audience session interactions',
		description: 'List what a visitor did in a session',
	},
	properties: [
		{ ...pageOfList, description: 'Only for the list of sessions. It is not sent.' },
		audienceSessionId,
		{
			...ownOptions,
			options: [
				{
					displayName: 'Keep Empty Sessions',
					name: 'keepEmpty',
					type: 'boolean',
					default: false,
					description:
						'Whether to output a session without interactions, with an empty list, instead of nothing',
				},
			],
		},
	],
	request: ({ audienceSessionId: id }) => ({
		method: 'GET',
		path: path`/audience_sessions/${id}/interactions`,
	}),
	records: (response, { audienceSessionId: id, options }) => {
		const { found, interactions } = readRecord(response);
		// What `found: false` means for the list is not documented, so an absent list is an empty one then.
		const records = readRecords(found === false ? (interactions ?? []) : interactions, response);
		if (records.length > 0 || !options.keepEmpty) return records;
		return [{ audienceSessionId: id, found, interactions: [] }];
	},
	additions: ({ audienceSessionId: id }) => ({ audienceSessionId: id }),
	// The API does not say what `found: false` means for the list, so what the list holds is returned.
	describeResponse: (response, { audienceSessionId: id }) =>
		readRecord(response).found === false
			? `The service did not find session ${id}. The output contains the interactions in its response, if any.`
			: undefined,
});
