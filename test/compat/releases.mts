const pins = {
	// These releases take it from outside the npm registry.
	xlsx: '0.18.5',
	// They do not start with a newer one, although they allow it.
	'@langchain/langgraph-checkpoint': '1.0.0',
};

/** The older releases of n8n that the package is tested in, by the names of Jest's projects. */
export const releases = {
	// Its part for expressions has binaries for Node 22 and 24.
	'n8n-1.123': { version: '1.123.81', node: 24, pins },
	// The last that runs on Node 20, the oldest that the package supports.
	'n8n-2.8': { version: '2.8.4', node: 20, pins },
};

/** With this, the present n8n activates workflows as these do: in one step, and each again when it starts. */
export const olderActivation = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' };
