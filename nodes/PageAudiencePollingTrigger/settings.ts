import type { IPollFunctions } from 'n8n-workflow';
import { concurrency, flagChecks, requestsPerSecond, timeout } from '../parameters/fields';
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
	const { requests: { value: requests } = {}, existingRecords: { value: existing } = {} } = options;
	const morePages = options.morePages?.page.map((row) => row.pageId) ?? [];
	return {
		event,
		/** Each page once: at least one. */
		pageIds: [...new Set([pageId, ...morePages])],
		accountId,
		flags: { includeDeleted, includePersonActivity },
		simplify: simplify ?? false,
		interactionFields: listInteractionFields({ ...options, addAnswers }),
		/** From which date on existing records start the workflow: 0 for all, undefined for none. Only a date has a start. */
		existingSince: existing && Date.parse(existing.startDate ?? '1970-01-01'),
		/** Empty: all fields. */
		onlyFields: options.onlyFields ?? [],
		lookBackMs: (options.lookBackHours ?? 48) * hourMs,
		concurrency: requests?.concurrency ?? concurrency.default,
		requestsPerSecond: requests?.requestsPerSecond ?? requestsPerSecond.default,
		timeoutMs: requests?.timeout ?? timeout.default,
	};
}
