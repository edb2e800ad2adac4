import type { IWebhookFunctions } from 'n8n-workflow';
import { RecentMap } from '../../runtime/recentMap';

export const rememberedMs = 24 * 60 * 60_000;
/** n8n's database has five minutes to store an execution. One that is stopped in n8n's queue never gets a response. */
const storedMs = 6 * 60_000;

/** When a delivery came, and n8n's response: the whole one until it is sent. A compressed one without a connection never ends. */
type TakenDelivery = { at: number; response: { statusCode: number; headersSent: boolean } };
/** Of each trigger, by their keys: n8n does not save static data that a delivery changes while it starts an execution. */
const seen = new RecentMap<string, RecentMap<string, TakenDelivery>>(10_000);

/**
 * What became of an equal delivery. One for which n8n responds with a failure does not count, because the service resends
 * it. It may close the connection before: n8n then still starts the execution, or fails to.
 */
export function claimDelivery(context: IWebhookFunctions, triggerId: string, key: string) {
	const keys = seen.get(triggerId) ?? new RecentMap<string, TakenDelivery>(1_000);
	seen.set(triggerId, keys);
	const at = performance.now();
	const last = keys.get(key);
	const isKnown = last && at - last.at < rememberedMs;
	if (isKnown && !last.response.headersSent && at - last.at < storedMs) return 'pending';
	if (isKnown && last.response.statusCode < 400) return 'taken';
	const response = context.getResponseObject();
	const delivery: TakenDelivery = { at, response };
	keys.set(key, delivery);
	const free = () => (delivery.response = { statusCode: response.statusCode, headersSent: true });
	response.once('finish', free);
	return undefined;
}
