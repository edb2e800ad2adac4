import { writeWarning } from '../nodeErrors';
import { RecentMap } from '../runtime/recentMap';
import type { TriggerContext } from './settings';

const quietMs = 60_000;
/** When a line about each cause was last written for each trigger. */
const lastWritten = new RecentMap<string, { at: number; skipped: number }>(10_000);

export async function logWarning(context: TriggerContext, what: string, subscriptionId?: string) {
	const where = subscriptionId === undefined ? '' : `webhook subscription ${subscriptionId}: `;
	await writeWarning(context, `Page Audience Trigger: ${where}${what}`);
}

/** At most one line a minute for each cause of a trigger: anybody can send such deliveries, as often as they like. */
export async function logRarely(context: TriggerContext, cause: string, what: string) {
	const now = performance.now();
	const key = [context.getWorkflow().id, context.getNode().id, cause].join();
	const last = lastWritten.get(key);
	if (last && now - last.at < quietMs) {
		last.skipped++;
		return;
	}
	lastWritten.set(key, { at: now, skipped: 0 });
	const more = last?.skipped ? ` (and ${last.skipped} more since the last line)` : '';
	await logWarning(context, what + more);
}
