import type { IDataObject } from 'n8n-workflow';
import type { Paging } from '../api/paginate';
import { type ApiRequest, at, GET } from '../api/request';
import { isId } from '../api/response';
import { readTimestamp } from '../api/timestamp';
import { activityShape, personShape, type RecordShape, sessionShape } from '../records/shapes';
import { hashContent } from '../runtime/canonical';
import { hashIdentity } from './known';
import type { EventName, ListSettings } from './settings';

/** A list of the API, and which of its records start workflows. */
export interface PolledEvent {
	/** Completes "No … found". */
	name: string;
	/** How to get one, for a person who tests. */
	advice: string;
	shape: RecordShape;
	paging: Paging;
	request: (settings: ListSettings) => ApiRequest;
	/** Whether another tenant's key reads a list of its own, of which each record says whose it is. */
	isOfTenant?: boolean;
	/** Whether the list has a date filter. */
	hasDates?: boolean;
	/** The fields that may hold a record's own date. The first that does counts. */
	dates: string[];
	/** Whether a record counts at all. */
	isRelevant: (record: IDataObject) => boolean;
	keysOf: (record: IDataObject) => RecordKeys;
	/** Whether a known record with other content starts the workflow too. */
	tellsChanges?: boolean;
}

/**
 * The hashes by which a record is known. A form submission is known by its session. A submission that has an ID of its own
 * has two more hashes.
 */
type RecordKeys = { record: string } | { record: string; submission: string; hadId: string };

/** A record without an ID is known by its content. */
function byId(id: string): Pick<PolledEvent, 'isRelevant' | 'keysOf'> {
	return {
		isRelevant: () => true,
		keysOf: (record) => ({
			record: hashIdentity(isId(record[id]) ? record[id] : hashContent(record)),
		}),
	};
}

const newSession: PolledEvent = {
	name: 'sessions',
	advice: 'A session appears when someone visits the page.',
	shape: sessionShape,
	paging: 'cursor',
	request: ({ pageId }) => GET(at.page`/pages/${pageId}/audience_sessions`),
	hasDates: true,
	dates: ['sessionStartedAt'],
	...byId('audienceSessionId'),
};

const newPerson: PolledEvent = {
	name: 'people',
	advice: 'Create a person with Person > Create or in the service.',
	shape: personShape,
	paging: 'cursor',
	request: () => GET(at.person`/persons`),
	isOfTenant: true,
	dates: ['createdAt'],
	...byId('personId'),
};

export const events: Record<EventName, PolledEvent> = {
	formSubmission: {
		...newSession,
		name: 'form submissions',
		advice: 'Submit the form of the page, then fetch again.',
		isRelevant: ({ formSubmissionId, hasFormSubmit }) =>
			isId(formSubmissionId) || hasFormSubmit === true,
		// A visitor may submit the form again within a session.
		keysOf: ({ audienceSessionId, formSubmissionId: submission, ...rest }) => {
			const session = [audienceSessionId, submission].find(isId) ?? hashContent(rest);
			const record = hashIdentity([session]);
			if (!isId(submission)) return { record };
			const hadId = hashIdentity([session, 'has an ID']);
			return { record, submission: hashIdentity([session, submission]), hadId };
		},
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
		request: ({ accountId, flags }) => GET(at.account`/accounts/${accountId}/activity`, flags),
		dates: ['createdAt'],
		...byId('activityId'),
	},
};

/**
 * Whether a record is known. A submission may be listed before it has its ID, and older data may list it without the ID
 * again.
 */
export function isKnown(keys: RecordKeys, isListed: (key: string) => boolean): boolean {
	if (!('submission' in keys)) return isListed(keys.record);
	return isListed(keys.submission) || (isListed(keys.record) && !isListed(keys.hadId));
}

/** A record's own date in milliseconds, where it has a usable one. */
export function dateOf({ dates }: PolledEvent, record: IDataObject): number | undefined {
	for (const name of dates) {
		const date = readTimestamp(record[name]);
		if (date !== undefined) return date;
	}
	return undefined;
}
