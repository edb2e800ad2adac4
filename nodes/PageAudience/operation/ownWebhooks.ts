import type { IExecuteFunctions } from 'n8n-workflow';
import { hasWebhook, readWebhookBase } from '../../api/ownWebhooks';

/** The webhooks of the n8n that runs the node. */
export interface OwnWebhooks {
	/** Where they are, e.g. `https://n8n.example/`, if n8n says so. */
	findBase: () => string | undefined;
	/** Whether there is one at an address below that. undefined where it cannot be told. */
	has: (href: string) => Promise<boolean | undefined>;
}

export function openOwnWebhooks(context: IExecuteFunctions): OwnWebhooks {
	return {
		findBase: () => {
			const execution = context.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
			return readWebhookBase(execution.resumeUrl);
		},
		has: async (href) => await hasWebhook(context, href),
	};
}
