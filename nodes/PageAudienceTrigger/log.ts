import { writeWarning } from '../errors';
import { RecentMap } from '../runtime/recentMap';
import type { TriggerContext } from './settings';

const quietMs = 60_000;
/** When each kind of line was last written. One entry per trigger and kind of this process. */
const lastWritten = new RecentMap<string, { at: number; skipped: number }>(10_000);

export async function logWarning(
	context: TriggerContext,
	what: string,
	subscriptionId?: string,
): Promise<void> {
	const where = subscriptionId === undefined ? '' : `webhook subscription ${subscriptionId}: `;
	await writeWarning(context, `Page Audience Trigger: ${where}${what}`);
}

/** At most one line a minute for each key: anybody can send what causes it, as often as they like. */
export async function logRarely(context: TriggerContext, key: string, what: string): Promise<void> {
	const now = performance.now();
	const last = lastWritten.get(key);
	if (last && now - last.at < quietMs) {
		last.skipped++;
		return;
	}
	lastWritten.set(key, { at: now, skipped: 0 });
	const more = last?.skipped ? ` (and ${last.skipped} more since the last line)` : '';
	await logWarning(context, what + more);
}
