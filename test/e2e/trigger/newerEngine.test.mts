import { testLifeCycle } from './lifeCycle.mts';
import { Stage } from './stage.mts';

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => await stage.close());

testLifeCycle(() => stage);
