import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { runNode, type Run, type RunResult } from './engine.mts';

/** The node in n8n's engine, with a sandbox and its credential. */
class ActionNodeSetup {
	readonly sandbox: Sandbox;

	constructor(options?: SandboxOptions) {
		// Whether its own responses are as they are described, test/sandbox asks.
		this.sandbox = openSandbox({ validateResponses: false, ...options });
	}

	get credential(): Run['credential'] {
		return { baseUrl: this.sandbox.url, apiKey: this.sandbox.apiKey };
	}

	/** What the service received, as `GET /v0/persons`. */
	get received(): string[] {
		return this.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	}

	async run(
		parameters: INodeParameters,
		items: IDataObject[],
		more: Partial<Run> = {},
	): Promise<RunResult> {
		return await runNode({ parameters, items, credential: this.credential, ...more });
	}
}

/** A setup for the tests of one file. Each test starts with the sandbox's own records and no faults. */
export function setUpActionNode(options?: SandboxOptions): ActionNodeSetup {
	// A run of a hundred items takes long on a busy machine.
	jest.setTimeout(120_000);
	return new ActionNodeSetup(options);
}
