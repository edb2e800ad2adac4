import { RecentMap } from '../runtime/recentMap';
import type { TriggerContext } from './settings';

const quietMs = 60_000;
/** When each kind of line was last written. One entry per trigger and kind of this process. */
const lastWritten = new RecentMap<string, { at: number; skipped: number }>(10_000);

export function logWarning(context: TriggerContext, what: string, subscriptionId?: string): void {
	const where = subscriptionId === undefined ? '' : `webhook subscription ${subscriptionId}: `;
	context.logger.warn(`Page Audience Trigger: ${where}${what}`, {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}

/** At most one line a minute for each key: anybody can send what causes it, as often as they like. */
export function logRarely(context: TriggerContext, key: string, what: string): void {
	const now = performance.now();
	const last = lastWritten.get(key);
	if (last && now - last.at < quietMs) {
		last.skipped++;
		return;
	}
	lastWritten.set(key, { at: now, skipped: 0 });
	const more = last?.skipped ? ` (and ${last.skipped} more since the last line)` : '';
	logWarning(context, what + more);
}
