import type { IDataObject } from 'n8n-workflow';
import { hashContent, writeCanonical } from '../runtime/canonical';
import type { Paging } from '../api/paginate';
import { path } from '../api/path';
import type { ApiRequest } from '../api/request';
import { readTimestamp } from '../api/serviceTime';
import { activityShape, personShape, type RecordShape, sessionShape } from '../records/shapes';
import type { EventName, ListSettings } from './settings';
import { type Content, writeContent } from './state/content';
import { hashKey, type Sighting } from './state/sighting';

/** A list of the API, and which of its records start workflows. */
export interface PolledEvent {
	/** Completes "No … found". */
	name: string;
	/** How to get one, for a person who tests. */
	advice: string;
	shape: RecordShape;
	paging: Paging;
	request: (settings: ListSettings) => ApiRequest;
	/** What the list belongs to: another one has another state. */
	place: (settings: ListSettings) => unknown[];
	/** Whether the list has a date filter. */
	hasDates: boolean;
	/** The fields that may hold a record's own date, the first one that does counts. */
	dates: string[];
	/** Fields that identify what happened. One of them is enough. */
	ids: string[];
	/** The one of them that a record may get after it counts already. */
	lateId?: string;
	/** Whether a record counts at all. */
	isRelevant?: (record: IDataObject) => boolean;
	/** Whether a known record with other content starts the workflow too. */
	tellsChanges: boolean;
}

const newSession: PolledEvent = {
	name: 'sessions',
	advice: 'A session appears when someone visits the page.',
	shape: sessionShape,
	paging: 'cursor',
	request: ({ pageId }) => ({ method: 'GET', path: path`/pages/${pageId}/audience_sessions` }),
	place: ({ pageId }) => [pageId],
	hasDates: true,
	dates: ['sessionStartedAt'],
	ids: ['audienceSessionId'],
	tellsChanges: false,
};

const newPerson: PolledEvent = {
	name: 'people',
	advice: 'Create a person with Person > Create or in the service.',
	shape: personShape,
	paging: 'cursor',
	request: () => ({ method: 'GET', path: path`/persons` }),
	place: () => [],
	hasDates: false,
	dates: ['createdAt'],
	ids: ['personId'],
	tellsChanges: false,
};

export const events: Record<EventName, PolledEvent> = {
	formSubmission: {
		...newSession,
		name: 'form submissions',
		advice: 'Submit the form of the page, then fetch again.',
		// A visitor may submit the form again within a session.
		ids: ['audienceSessionId', 'formSubmissionId'],
		lateId: 'formSubmissionId',
		isRelevant: ({ formSubmissionId, hasFormSubmit }) =>
			isPresent(formSubmissionId) || hasFormSubmit === true,
	},
	newSession,
	changedSession: { ...newSession, tellsChanges: true },
	newPerson,
	changedPerson: { ...newPerson, dates: ['updatedAt', 'createdAt'], tellsChanges: true },
	accountActivity: {
		name: 'activity of this account',
		advice: 'Create an entry with Person Log > Create or in the service.',
		shape: activityShape,
		paging: 'offset',
		request: ({ accountId, filters }) => ({
			method: 'GET',
			path: path`/accounts/${accountId}/activity`,
			query: { ...filters },
		}),
		// With other filters, old entries would seem new.
		place: ({ accountId, filters }) => [accountId, filters],
		hasDates: false,
		dates: ['createdAt'],
		ids: ['activityId'],
		tellsChanges: false,
	},
};

/**
 * What of a page concerns the event. A record without any ID is told apart by its content.
 * @param fields those whose changes count
 */
export function sight(
	event: PolledEvent,
	records: IDataObject[],
	fields: readonly string[],
): Array<Sighting<IDataObject>> {
	const { dates, isRelevant = () => true } = event;
	return records.filter(isRelevant).map((record) => ({
		key: readKey(event, record),
		content: describeContent(event, record, fields),
		at: dates.map((date) => readTimestamp(record[date])).find((at) => at !== undefined),
		withoutId: readWithoutId(event, record),
		record,
	}));
}

function readKey({ ids }: PolledEvent, record: IDataObject): number {
	const values = ids.map((id) => (isPresent(record[id]) ? String(record[id]) : ''));
	return hashKey(JSON.stringify(values.some(Boolean) ? values : [hashContent(record)]));
}

function describeContent(
	{ tellsChanges, lateId }: PolledEvent,
	record: IDataObject,
	fields: readonly string[],
): Content {
	// A field that is missing holds as much as one that is null.
	if (tellsChanges)
		return writeContent(
			writeCanonical(record),
			fields.map((field) => writeCanonical(record[field] ?? null)),
		);
	if (lateId === undefined || isPresent(record[lateId])) return '';
	// The service may still compute the session when it assigns the ID.
	const ignored = [lateId, 'computationStatus'];
	const rest = Object.entries(record).filter(([name]) => !ignored.includes(name));
	return writeContent(writeCanonical(Object.fromEntries(rest)));
}

/** What the record was before it got its ID, if nothing else has changed since. */
function readWithoutId(event: PolledEvent, record: IDataObject): Sighting['withoutId'] {
	const { lateId } = event;
	if (lateId === undefined || !isPresent(record[lateId])) return undefined;
	const before = { ...record, [lateId]: '' };
	return { key: readKey(event, before), content: describeContent(event, before, []) };
}

function isPresent(value: unknown): boolean {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}
