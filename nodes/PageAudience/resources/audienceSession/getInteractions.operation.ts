import { path } from '../../../api/path';
import { readRecord, readRecords } from '../../../api/response';
import { defineOperation } from '../../operation/operation';

export const getInteractions = defineOperation({
	option: {
		name: 'Get Interactions',
		value: 'getInteractions',
		action: 'Get audience session interactions',
		description: 'List what the visitor did in a session',
	},
	properties: [
		{
			displayName: 'Audience Session ID',
			name: 'audienceSessionId',
			type: 'string',
			default: '',
			required: true,
			description:
				'The session to read. Its ID (audienceSessionId) comes from Audience Session > Get Many.',
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
	describeResponse: (response, { audienceSessionId }) =>
		readRecord(response).found === false
			? `The service found no interactions of session ${audienceSessionId}`
			: undefined,
});
