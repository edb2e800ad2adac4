import { audienceSessionId, pageOfList } from '../../../parameters/locators';
import { readInteractions, requestInteractions } from '../../../records/sessionInteractions';
import { defineOperation } from '../../operation/operation';
import { ownOptions } from '../../operation/sharedParameters';

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
	request: ({ audienceSessionId: id }) => requestInteractions(id),
	records: (response, { audienceSessionId: id, options }) => {
		const { found, records } = readInteractions(response);
		if (records.length > 0 || !options.keepEmpty) return records;
		return [{ audienceSessionId: id, found, interactions: [] }];
	},
	output: {
		adds: { audienceSessionId: { type: 'string', from: (values) => values.audienceSessionId } },
	},
	// The API does not say what `found: false` means for the list, so what the list holds is returned.
	hint: (response, { audienceSessionId: id }) =>
		readInteractions(response).found === false
			? `The service did not find session ${id}. The output contains the interactions in its response, if any.`
			: undefined,
});
