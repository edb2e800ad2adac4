import { testLifeCycle } from '../e2e/trigger/lifeCycle.mts';
import { testRestarts } from '../e2e/trigger/restarts.mts';
import { Stage } from '../e2e/trigger/stage.mts';
import { withOlderEngine } from './olderEngine.mts';

const n8n = withOlderEngine();
let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open(await n8n.start(), 'older');
}, 180_000);
afterAll(async () => {
	await stage.close().finally(async () => await n8n.remove());
}, 60_000);

testLifeCycle(() => stage);
testRestarts(n8n, () => stage);
