import { OwnN8n } from './ownN8n.mts';
import { testRestarts } from './restarts.mts';
import { Stage } from './stage.mts';

const n8n = new OwnN8n();
let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open(await n8n.start());
}, 180_000);
afterAll(async () => {
	await stage.close().finally(async () => await n8n.remove());
}, 60_000);

testRestarts(n8n, () => stage);
