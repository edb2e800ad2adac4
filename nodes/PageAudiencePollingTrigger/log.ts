import type { IPollFunctions } from 'n8n-workflow';

export function logWarning(context: IPollFunctions, what: string): void {
	context.logger.warn(`Page Audience Polling Trigger: ${what}`, {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}
