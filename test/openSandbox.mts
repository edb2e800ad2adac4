import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/index.mts';

/** A sandbox for the tests of one file. Each test starts with the sandbox's own records and no faults. */
export function openSandbox(options?: SandboxOptions): Sandbox {
	const sandbox = {} as Sandbox;
	beforeAll(async () => {
		const started = await startSandbox(options);
		Object.defineProperties(sandbox, Object.getOwnPropertyDescriptors(started));
	});
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return sandbox;
}
