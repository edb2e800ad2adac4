import { play } from './play.mts';
import { testProperty } from './property.mts';
import { writeScenario } from './scenario.mts';

testProperty('a write is done once, is told truly, and comes out once', {
	scenarios: writeScenario,
	play,
	runs: 250,
	share: 0.7,
});
