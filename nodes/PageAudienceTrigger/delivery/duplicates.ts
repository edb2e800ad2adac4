import type { IWebhookFunctions } from 'n8n-workflow';
import { RecentMap } from '../../runtime/recentMap';

const most = 1_000;
const longestMs = 24 * 60 * 60_000;

/**
 * When each trigger got its last deliveries, by their keys. In this process's memory: n8n does not save what a delivery
 * writes to static data when it starts an execution.
 */
const seen = new RecentMap<string, RecentMap<string, number>>(10_000);

/**
 * Whether an equal delivery came before. If n8n responds that it failed, it is forgotten, because the service resends it.
 * If the service closes the connection before that, n8n still goes on: with `N8N_CONCURRENCY_PRODUCTION_LIMIT`, it responds
 * only when the execution may start.
 */
export function isRepeated(context: IWebhookFunctions, id: string, key: string): boolean {
	const keys = seen.get(id) ?? new RecentMap<string, number>(most);
	seen.set(id, keys);
	const now = performance.now();
	if (now - (keys.get(key) ?? -Infinity) < longestMs) return true;
	keys.set(key, now);
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode >= 400) keys.delete(key);
	});
	return false;
}
