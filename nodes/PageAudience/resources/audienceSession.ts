import { at, GET } from '../../api/request';
import { addAnswers, includeInteractions } from '../../parameters/fields';
import { audienceSessionId, pageId, pageOfList } from '../../parameters/locators';
import {
	collectAnswers,
	listInteractionFields,
	readInteractions,
	requestInteractions,
} from '../../records/interactions';
import { sessionShape, addFields } from '../../records/shapes';
import { defineOperation, type Operation } from '../operation/operation';
import { keepEmpty, ownOptions } from '../operation/sharedParameters';
import { checkTimeSpan, dateFilters } from './collections';
import { getByFormSubmission, interactionFields, withInteractions } from './formSubmission';

const getInteractions = defineOperation({
	name: 'Get Interactions',
	value: 'getInteractions',
	action: 'Get audience session interactions',
	description: 'List what a visitor did in a session',
	properties: [
		{ ...pageOfList, description: 'Only used to load the list of sessions below' },
		audienceSessionId,
		{
			...ownOptions,
			options: [
				{
					...addAnswers,
					description:
						'Whether to add all answers of the session to each interaction, with one field per question',
				},
				{
					...keepEmpty,
					description:
						'Whether to output a session without interactions, with an empty list, instead of nothing',
				},
			],
		},
	],
	request: ({ audienceSessionId: id }) => requestInteractions(id),
	records: (response, { audienceSessionId: id, options }, hint) => {
		const { found, records } = readInteractions(response);
		// The API does not say what this means for the list, so what the list holds is returned.
		if (found === false)
			hint(
				`The service did not find session ${id}. The output contains the interactions in its response, if any.`,
			);
		const isKept = records.length === 0 && options.keepEmpty;
		const output = isKept ? [{ audienceSessionId: id, found, interactions: [] }] : records;
		if (!options.addAnswers) return output;
		// All items share one object, or a long session would take the square of its length.
		const answers = collectAnswers(records);
		return output.map((record) => addFields(record, { answers }));
	},
	output: {
		adds: {
			audienceSessionId: { type: 'string', value: (values) => values.audienceSessionId },
			answers: { type: 'object', requires: addAnswers.displayName },
		},
	},
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many audience sessions',
	description: "List visits to a page's audiences",
	forModels:
		'For a regular export, let the periods overlap and match rows by audienceSessionId, because the API does not say whether the dates of the filter are inclusive. To read what visitors did, turn on options.includeInteractions. For their answers as fields, set options.addAnswers.',
	properties: [pageId, dateFilters, { ...ownOptions, options: [addAnswers, includeInteractions] }],
	request: ({ pageId: id, filters }) =>
		GET(at.page`/pages/${id}/audience_sessions`, checkTimeSpan(filters)),
	paging: 'cursor',
	completion: {
		fields: ({ options }) => listInteractionFields(options),
		complete: withInteractions,
	},
	output: { shape: sessionShape, adds: interactionFields },
});

export const audienceSession: Operation[] = [getByFormSubmission, getInteractions, getAll];
