import type { INodeProperties } from 'n8n-workflow';
import { path } from '../../../api/path';
import { readSessionInteractions } from '../../../records/sessionInteractions';
import { pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { addFields } from '../../operation/output';
import { checkTimeSpan, dateFilters } from '../dateFilters';
import { sessionShape } from '../../../records/audienceSession';

const unreadable =
	'The interactions of some sessions could not be read. The field interactionsError says why.';

const includeInteractions = {
	displayName: 'Include Interactions',
	name: 'includeInteractions',
	type: 'boolean',
	default: false,
	description:
		'Whether to add to each session what the visitor did, as a list. This is one more request for each session.',
} as const satisfies INodeProperties;

export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many audience sessions',
		description: "List visits to a page's audiences",
		builderHint: {
			propertyHint:
				'For a regular export, let the periods overlap and match rows by audienceSessionId, because the API does not say whether the dates of the filter are inclusive. To read what visitors did, turn on includeInteractions.',
		},
	},
	properties: [pageId, includeInteractions, dateFilters],
	request: ({ pageId: id, filters }) => ({
		method: 'GET',
		path: path`/pages/${id}/audience_sessions`,
		query: checkTimeSpan(filters),
	}),
	paging: 'cursor',
	completion: {
		isWanted: (values) => values.includeInteractions,
		complete: async (session, call) => {
			const added = await readSessionInteractions(session, call.send);
			if (added.interactionsError !== undefined) call.hint('list', unreadable);
			return addFields(session, added);
		},
	},
	output: {
		shape: sessionShape,
		adds: {
			interactions: { type: ['array', 'null'], with: includeInteractions.displayName },
			interactionsFound: { type: ['boolean', 'null'], with: includeInteractions.displayName },
			interactionsError: { type: 'string', with: includeInteractions.displayName },
		},
	},
});
