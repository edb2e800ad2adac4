import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.mts';
import { runNode, type Run, type RunResult } from './engine.mts';

/** The node in n8n's engine, with a sandbox and its credential. */
export class Stage {
	#sandbox?: Sandbox;

	get sandbox(): Sandbox {
		if (!this.#sandbox) throw new Error('The sandbox starts before the first test');
		return this.#sandbox;
	}

	get credential(): Run['credential'] {
		return { baseUrl: this.sandbox.url, apiKey: this.sandbox.apiKey };
	}

	/** What the service received, as `GET /v0/persons`. */
	get received(): string[] {
		return this.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	}

	async open(options?: SandboxOptions): Promise<void> {
		this.#sandbox = await startSandbox(options);
	}

	async run(
		parameters: INodeParameters,
		items: IDataObject[],
		more: Partial<Run> = {},
	): Promise<RunResult> {
		return await runNode({ parameters, items, credential: this.credential, ...more });
	}
}

/** A stage for the tests of one file. Each test starts with the sandbox's own records and no faults. */
export function openStage(options?: SandboxOptions): Stage {
	// A run of a hundred items takes long on a busy machine.
	jest.setTimeout(120_000);
	const stage = new Stage();
	beforeAll(async () => await stage.open(options));
	beforeEach(() => stage.sandbox.reset());
	afterAll(async () => await stage.sandbox.close());
	return stage;
}
