import type { IExecuteFunctions } from 'n8n-workflow';
import { hasWebhook, readWebhookBase } from '../../api/ownWebhooks';
import type { OwnWebhooks } from '../operation/call';

export function openOwnWebhooks(context: IExecuteFunctions): OwnWebhooks {
	return {
		findBase: () => {
			const execution = context.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
			return readWebhookBase(execution.resumeUrl);
		},
		has: async (href) => await hasWebhook(context, href),
	};
}
