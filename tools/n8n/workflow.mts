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
/** By the name of a node and the type of a connection. */
type Connections = Record<
	string,
	Record<string, Array<Array<{ node: string; type: string; index: number }>>>
>;
export type Workflow = {
	name: string;
	nodes: WorkflowNode[];
	connections: Connections;
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
