import type { TriggerContext } from './settings';

const quietMs = 60_000;
/** When each trigger last said that it refused something. One entry per trigger of this process. */
const lastSaid = new Map<string, { at: number; unsaid: number }>();

export function logWarning(context: TriggerContext, what: string, subscriptionId?: string): void {
	const where = subscriptionId === undefined ? '' : `webhook subscription ${subscriptionId}: `;
	context.logger.warn(`Page Audience Trigger: ${where}${what}`, {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}

/** One line a minute for each trigger: anybody can send what is refused, and as often as they like. */
export function logRejection(context: TriggerContext, id: string, what: string): void {
	const now = Date.now();
	const last = lastSaid.get(id);
	if (last && now - last.at < quietMs) {
		last.unsaid++;
		return;
	}
	lastSaid.set(id, { at: now, unsaid: 0 });
	logWarning(
		context,
		last?.unsaid ? `${what} (and ${last.unsaid} more since the last line)` : what,
	);
}
