import type { IPollFunctions } from 'n8n-workflow';
import { activityFilterChecks } from '../parameters/fields';
import { accountIdFormat } from '../parameters/checks';
import { refuseItem } from '../parameters/problem';
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

const checks = { accountId: accountIdFormat, filters: activityFilterChecks };

/** @throws {ItemRefusedError} for values that cannot be used */
export function readPollSettings(context: IPollFunctions) {
	// readNodeValues builds exactly what ValuesOf describes, from the same literals.
	const values = readNodeValues(context, parameters, checks) as PolledValues;
	const { event, simplify, filters, options } = values;
	// Blank where the event does not need them.
	const { pageId = '', accountId = '' } = values;
	const morePages = options.morePages?.page.map((row) => row.pageId) ?? [];
	return {
		event,
		/** Each page once: at least one. */
		pageIds: [...new Set([pageId, ...morePages])],
		accountId,
		filters: filters ?? {},
		simplify: simplify ?? false,
		interactionFields: listInteractionFields(options),
		existingSince: readExistingSince(options),
		/** Empty: all fields. */
		onlyFields: options.onlyFields ?? [],
		lookBackMs: (options.lookBackHours ?? 48) * hourMs,
		concurrency: options.concurrency ?? 10,
		requestsPerSecond: options.requestsPerSecond ?? 0,
		timeoutMs: options.timeout ?? 60_000,
	};
}

/**
 * Which of the records that exist before the first poll start the workflow.
 * @returns the date from which on they do, in milliseconds: 0 for all records, undefined if no record does
 */
function readExistingSince(options: PolledValues['options']): number | undefined {
	const { startFrom, startDate } = options;
	// A Start Date alone says what it is for.
	const from = startFrom ?? (startDate === undefined ? 'now' : 'date');
	if (from === 'now') return undefined;
	if (from === 'all') return 0;
	if (startDate === undefined)
		return refuseItem('Options > Start Date', 'is required for Start From > Date');
	return Date.parse(startDate);
}
