import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { addFields, valuesToAdd } from '../operation/output';
import type { SharedState } from './openCall';
import type { SendPlan } from './plan';
import { takeRecords } from './read';

/**
 * Sends what one item writes.
 * @returns the records of the response, with the fields that the node adds to them
 */
export async function sendRequest(
	state: SharedState,
	plan: SendPlan,
	mayBeDone: boolean,
): Promise<IDataObject[]> {
	const { operation, values, request } = plan;
	const { maxRetries, timeout } = values.options;
	const records = await state.client
		.send(request, { timeoutMs: timeout, maxRetries, mayBeDone })
		.then(
			(response) => takeRecords(state, plan, operation, response),
			(error: unknown) => [takeStored(plan, error, state.isRetry)],
		);
	const added = valuesToAdd(operation, values, request);
	return records.map((record) => addFields(record, added));
}

/**
 * What is returned in place of the record when the service refuses what an earlier attempt with the same key has done.
 * @throws the error, if it is anything else
 */
function takeStored(
	{ operation, values, synced }: SendPlan,
	error: unknown,
	isRetry: boolean,
): IDataObject {
	const { writes } = operation;
	if (!writes?.alreadyStored || !hasStatus(error, 409)) throw error;
	if (error.details.repeated) return writes.alreadyStored(values);
	if (synced) error.description += ` ${adviceForConflict}`;
	else if (isRetry) error.description += ` ${adviceForRetry}`;
	throw error;
}

/** After a crash, n8n knows nothing of what was sent. Another record may stand against this one, so it is no success. */
const adviceForRetry =
	"An earlier try of this execution may have written this item. Check in the service whether it exists. To send the items behind it, set On Error to 'Continue (using error output)' in the node's Settings tab, save, and choose Retry with currently saved workflow.";

/** What this node remembers belongs to one API key. A key of the record may have been sent with another one. */
const adviceForConflict =
	'If another API key, node or workflow wrote this record before, the service may reject the repeat. Check in the service whether the record exists. If so, remove the record from the input.';
