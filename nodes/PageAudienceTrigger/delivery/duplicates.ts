import type { IWebhookFunctions } from 'n8n-workflow';
import { RecentMap } from '../../runtime/recentMap';

export const mostDeliveries = 1_000;
export const rememberedMs = 24 * 60 * 60_000;

/**
 * When each trigger got its last deliveries, by their keys. This is in the process's memory, because n8n does not save
 * static data that a delivery changes while it starts an execution.
 */
const seen = new RecentMap<string, RecentMap<string, number>>(10_000);

/**
 * Whether an equal delivery came before. If n8n then responds with a failure, the delivery is forgotten, because the
 * service resends it. If the service closes the connection before the response, n8n still starts the execution: with
 * `N8N_CONCURRENCY_PRODUCTION_LIMIT`, it responds only when the execution may start.
 */
export function isDuplicate(context: IWebhookFunctions, triggerId: string, key: string): boolean {
	const keys = seen.get(triggerId) ?? new RecentMap<string, number>(mostDeliveries);
	seen.set(triggerId, keys);
	const now = performance.now();
	if (now - (keys.get(key) ?? -Infinity) < rememberedMs) return true;
	keys.set(key, now);
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode >= 400) keys.delete(key);
	});
	return false;
}
