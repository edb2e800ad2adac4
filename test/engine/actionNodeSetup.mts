import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { linkedTo, runNode, type Run, type RunResult } from './engine.mts';
import { requestLimits } from '../groups.mts';

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

	/** Sends one request after another, and each once. An item that fails keeps its place. */
	async send(parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) {
		this.sandbox.requests.length = 0;
		const own = parameters.options as INodeParameters | undefined;
		const options = { ...requestLimits({ concurrency: 1, maxRetries: 0 }), ...own };
		const onError = 'continueRegularOutput';
		const result = await this.run({ ...parameters, options }, items, { onError, ...more });
		const writes = this.sandbox.requests.filter(({ method }) => method !== 'GET');
		return {
			...result,
			/** Of the writes. */
			bodies: writes.map(({ body }) => body as IDataObject),
			/** Why each input item failed, if it did. */
			told: items.map((_, item) => linkedTo(result.output, item)[0]?.json.error),
		};
	}
}

/** A setup for the tests of one file. Each test starts with the sandbox's own records and no faults. */
export function setUpActionNode(options?: SandboxOptions): ActionNodeSetup {
	// A run of a hundred items takes long on a busy machine.
	jest.setTimeout(120_000);
	return new ActionNodeSetup(options);
}
