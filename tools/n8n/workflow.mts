import type { IConnections } from 'n8n-workflow';
import type { Item, JsonObject } from './execution.mts';

export type CredentialReference = { id: string; name: string };
export type WorkflowNode = {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: JsonObject;
	credentials?: Record<string, CredentialReference>;
	webhookId?: string;
	[setting: string]: unknown;
};
export type Workflow = {
	name: string;
	nodes: WorkflowNode[];
	connections: IConnections;
	settings?: JsonObject;
	pinData?: Record<string, Item[]>;
};
export type StoredWorkflow = Workflow & {
	id: string;
	versionId: string;
	active: boolean;
	isArchived?: boolean;
	/** The triggers' memory. */
	staticData?: JsonObject | null;
};
