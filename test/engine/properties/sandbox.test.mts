import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { playOverHttp } from './playOverHttp.mts';
import { testProperty } from './property.mts';
import { sandboxScenario } from './scenario.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());

testProperty('the same holds over HTTP', {
	scenarios: sandboxScenario,
	play: async (scenario) => await playOverHttp(scenario, sandbox),
	runs: 100,
	share: 0.01,
});
