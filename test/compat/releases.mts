/** The Node to test each older n8n on, by the name of its folder here, which is that of its project in Jest, too. */
export const nodeVersions: Record<string, number> = {
	// Its part for expressions has binaries for Node 22 and 24.
	'n8n-1.123': 24,
	// The last that runs on Node 20, the oldest that the package supports.
};

/** With this, the present n8n activates workflows as these do: in one step, and each again when it starts. */
export const olderActivation = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' };
