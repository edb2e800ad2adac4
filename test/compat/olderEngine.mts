import { OwnN8n } from '../e2e/trigger/ownN8n.mts';

/** An n8n that activates workflows as all did before 2.x had its publication service, and as newer ones still can. */
export const withOlderEngine = (): OwnN8n =>
	new OwnN8n({ N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' });
