import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from '../../../api/failure';
import type { ApiRequest } from '../../../api/request';
import { isOfService } from '../../../api/response';
import { toError } from '../../../parameters/problem';
import { readSubscription } from '../../../records/webhookSubscription';
import type { Call } from '../../operation/call';
import { listMissing, type Trouble } from './health';

/**
 * What to change of a subscription that has problems. Only what differs: its trigger registers the URL and its own
 * events, and other receivers may count on the rest.
 * @returns undefined when nothing can be mended. At another address, the events would reach another receiver
 */
export function findRepair(
	{ events }: IDataObject,
	problems: Trouble[],
	expected: string[],
): IDataObject | undefined {
	const has = (problem: Trouble['problem']) => problems.some((each) => each.problem === problem);
	if (has('gone') || has('url')) return undefined;
	const missing = listMissing(events, expected);
	const change = {
		...(has('inactive') ? { active: true } : {}),
		...(Array.isArray(events) && missing.length > 0 ? { events: [...events, ...missing] } : {}),
	};
	return Object.keys(change).length > 0 ? change : undefined;
}

/** The problems that a repair has ended. */
export function listRepaired(before: Trouble[], after: Trouble[]): string[] {
	const left = after.map(({ problem }) => problem);
	return before.map(({ problem }) => problem).filter((problem) => !left.includes(problem));
}

/** @throws what went wrong, with the problems that were found */
export async function sendRepair(
	call: Call,
	patch: ApiRequest,
	problems: Trouble[],
): Promise<IDataObject> {
	const sent = await call.send(patch).then(readSubscription).catch(toError);
	if (!(sent instanceof Error)) return sent;
	if (sent instanceof RequestFailedError)
		sent.addAdvice(`Found before: ${problems.map(({ message }) => message).join(' ')}`);
	if (isOfService(sent)) sent.details.problems = problems;
	throw sent;
}
