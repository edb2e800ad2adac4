import { OwnN8n } from '../trigger/ownN8n.mts';
import { testPolling } from './polling.mts';
import { PollingStage } from './pollingStage.mts';

const n8n = new OwnN8n();
let stage: PollingStage;
beforeAll(async () => {
	stage = await PollingStage.open(await n8n.start(), 'newer');
}, 180_000);
afterAll(async () => {
	await stage.close().finally(async () => await n8n.remove());
}, 60_000);

testPolling(n8n, () => stage);
