import { testLifeCycle } from './lifeCycle.mts';
import { OwnN8n } from './ownN8n.mts';
import { testRestarts } from './restarts.mts';
import { Stage } from './stage.mts';

const n8n = new OwnN8n({ N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' });
let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open(await n8n.start(), 'older');
}, 180_000);
afterAll(async () => {
	await stage.close().finally(async () => await n8n.remove());
}, 60_000);

testLifeCycle(() => stage);
testRestarts(n8n, () => stage);
