import { path } from '../../../api/path';
import { readRecord, readRecords } from '../../../api/response';
import { defineOperation } from '../../operation/operation';

export const getInteractions = defineOperation({
	option: {
		name: 'Get Interactions',
		value: 'getInteractions',
		action: 'Get audience session interactions',
		description: 'List what a visitor did in a session',
	},
	properties: [
		{
			displayName: 'Audience Session ID',
			name: 'audienceSessionId',
			type: 'string',
			default: '',
			required: true,
			description:
				'ID of the session. Audience Session > Get Many returns it as audienceSessionId.',
		},
	],
	request: ({ audienceSessionId }) => ({
		method: 'GET',
		path: path`/audience_sessions/${audienceSessionId}/interactions`,
	}),
	records: (response) => {
		const { found, interactions } = readRecord(response);
		// What `found: false` means for the list is not documented, so an absent list is an empty one then.
		return readRecords(found === false ? (interactions ?? []) : interactions, response);
	},
	additions: ({ audienceSessionId }) => ({ audienceSessionId }),
	// The API does not say what `found: false` means for the list, so what the list holds is returned.
	describeResponse: (response, { audienceSessionId }) =>
		readRecord(response).found === false
			? `The service did not find session ${audienceSessionId}. The output contains the interactions in its response, if any.`
			: undefined,
});
