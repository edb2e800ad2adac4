import { play } from './play.mts';
import { testProperty } from './property.mts';
import { listScenario } from './scenario.mts';

testProperty('a list is read exactly, or fails', {
	scenarios: listScenario,
	play,
	runs: 80,
	share: 0.29,
});
