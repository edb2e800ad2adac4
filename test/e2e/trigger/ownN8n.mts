import { N8n } from '../../../tools/n8n/n8n.mts';
import { packageForTests, testedRelease, withoutRunner } from '../sharedN8n.mts';

/** An n8n that a file has for itself, to end and start again at the same address. */
export class OwnN8n extends N8n {
	constructor(env: NodeJS.ProcessEnv = {}) {
		super({
			tarball: packageForTests(),
			env: { ...withoutRunner, ...env },
			release: testedRelease(),
			copyOf: process.env.N8N_FOR_TESTS_FOLDER,
			// Nobody looks at it.
			withEditor: false,
		});
	}
}
