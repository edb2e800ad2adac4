import { testLifeCycle } from './lifeCycle.mts';
import { Stage } from './stage.mts';

jest.setTimeout(60_000);

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => await stage.close());

testLifeCycle(() => stage);
