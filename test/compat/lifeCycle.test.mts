import { OwnN8n } from '../e2e/trigger/ownN8n.mts';
import { testLifeCycle } from '../e2e/trigger/lifeCycle.mts';
import { testRestarts } from '../e2e/trigger/restarts.mts';
import { Stage } from '../e2e/trigger/stage.mts';

const n8n = new OwnN8n();
let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open(await n8n.start());
}, 180_000);
afterAll(async () => {
	await stage.close().finally(async () => await n8n.remove());
}, 60_000);

testLifeCycle(() => stage);
testRestarts(n8n, () => stage);
