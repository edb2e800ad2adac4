import { openSandbox } from '../../openSandbox.mts';
import { playOverHttp } from './playOverHttp.mts';
import { testProperty } from './property.mts';
import { sandboxScenario } from './scenario.mts';

const sandbox = openSandbox();

testProperty('the same holds over HTTP', {
	scenarios: sandboxScenario,
	play: async (scenario) => await playOverHttp(scenario, sandbox),
	runs: 40,
	share: 0.01,
});
