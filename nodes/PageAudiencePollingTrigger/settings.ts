import type { IPollFunctions } from 'n8n-workflow';
import { activityFilterChecks } from '../parameters/fields';
import { accountIdFormat } from '../parameters/checks';
import { refuseItem } from '../parameters/problem';
import { readValues } from '../parameters/read';
import type { ValuesOf } from '../parameters/values';
import { listInteractionFields } from '../records/interactions';
import { parameters } from './parameters';

/** Which of the records that exist before the first poll start the workflow. */
type StartFrom = { from: 'now' } | { from: 'all' } | { from: 'date'; date: number };

type PolledValues = ValuesOf<typeof parameters>;

export type EventName = PolledValues['event'];

export type Settings = ReturnType<typeof readSettings>;

/** The settings of one list. */
export interface ListSettings extends Settings {
	/** Blank for people and accounts. */
	pageId: string;
}

const hourMs = 3_600_000;

const checks = { accountId: accountIdFormat, filters: activityFilterChecks };

/** @throws {ItemRefusedError} for values that cannot be used */
export function readSettings(context: IPollFunctions) {
	// readValues builds exactly what ValuesOf describes, from the same literals.
	const values = readValues(parameters, checks, {
		get: (name) => context.getNodeParameter(name, null),
		zone: context.getTimezone(),
		isTool: false,
	}) as PolledValues;
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
		start: readStart(options),
		/** None for all. */
		onlyFields: options.onlyFields ?? [],
		lookBackMs: (options.lookBackHours ?? 48) * hourMs,
		concurrency: options.concurrency ?? 10,
		requestsPerSecond: options.requestsPerSecond ?? 0,
		timeoutMs: options.timeout ?? 60_000,
	};
}

function readStart({ startFrom, startDate }: PolledValues['options']): StartFrom {
	// A Start Date alone says what it is for.
	const from = startFrom ?? (startDate === undefined ? 'now' : 'date');
	if (from !== 'date') return { from };
	if (startDate === undefined)
		return refuseItem('Options > Start Date', 'is required for Start From > Date');
	return { from, date: Date.parse(startDate) };
}
