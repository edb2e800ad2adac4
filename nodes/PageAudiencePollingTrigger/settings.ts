import type { IPollFunctions } from 'n8n-workflow';
import { flagChecks } from '../parameters/fields';
import { accountIdFormat } from '../parameters/checks';
import { readNodeValues } from '../parameters/read';
import type { ValuesOf } from '../parameters/values';
import { listInteractionFields } from '../records/interactions';
import { parameters } from './parameters';

type PolledValues = ValuesOf<typeof parameters>;

export type EventName = PolledValues['event'];

export type PollSettings = ReturnType<typeof readPollSettings>;

/** The settings of one list. */
export interface ListSettings extends PollSettings {
	/** Blank for people and accounts. */
	pageId: string;
}

const hourMs = 3_600_000;

const checks = { accountId: accountIdFormat, options: flagChecks };

/** @throws {ItemRefusedError} for values that cannot be used */
export function readPollSettings(context: IPollFunctions) {
	// readNodeValues builds exactly what ValuesOf describes, from the same literals.
	const values = readNodeValues(context, parameters, checks) as PolledValues;
	const { event, simplify, addAnswers, options } = values;
	// Blank where the event does not need them.
	const { pageId = '', accountId = '' } = values;
	const { includeDeleted, includePersonActivity } = options;
	const { requests: { value: requests } = {} } = options;
	const morePages = options.morePages?.page.map((row) => row.pageId) ?? [];
	return {
		event,
		/** Each page once: at least one. */
		pageIds: [...new Set([pageId, ...morePages])],
		accountId,
		flags: { includeDeleted, includePersonActivity },
		simplify: simplify ?? false,
		interactionFields: listInteractionFields({ ...options, addAnswers }),
		existingSince: readExistingSince(options),
		/** Empty: all fields. */
		onlyFields: options.onlyFields ?? [],
		lookBackMs: (options.lookBackHours ?? 48) * hourMs,
		concurrency: requests?.concurrency ?? 10,
		requestsPerSecond: requests?.requestsPerSecond ?? 0,
		timeoutMs: requests?.timeout ?? 60_000,
	};
}

/**
 * Which of the records that exist before the first poll start the workflow.
 * @returns the date from which on they do, in milliseconds: 0 for all records, undefined if no record does
 */
function readExistingSince({
	existingRecords: { value } = {},
}: PolledValues['options']): number | undefined {
	if (!value) return undefined;
	// A start is required from a date on, and only then.
	return value.startDate === undefined ? 0 : Date.parse(value.startDate);
}
