import { testPolling } from '../e2e/polling/polling.mts';
import { PollingStage } from '../e2e/polling/pollingStage.mts';
import { withOlderEngine } from './olderEngine.mts';

const n8n = withOlderEngine();
let stage: PollingStage;
beforeAll(async () => {
	stage = await PollingStage.open(await n8n.start(), 'older');
}, 180_000);
afterAll(async () => {
	await stage.close().finally(async () => await n8n.remove());
}, 60_000);

testPolling(n8n, () => stage);
