import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import type { ExecutionSummary } from '../../tools/n8n/client.mts';
import { isOver } from '../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import type { MeasuredN8n } from '../measuredN8n.mts';
import { compare, measureInTurn, requireEqual, type Row } from '../measure.mts';
import { connect, doNothing, ownNode, webhookNode } from '../workflows.mts';

const atOnce = 10;
const rounds = 9;
/** How long n8n is left alone after the last response, so that it can finish its executions. */
const restMs = 500;
const patienceMs = 30_000;

/** The same bodies for two triggers, each followed by a node that does nothing. n8n stores each execution, as by default. */
export async function deliveries(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { credential, sandbox, server } = n8n;
	const count = 50 * scale;
	const [subscription] = sandbox.store.subscriptions.all();
	subscription.active = false;
	const subscriptionId = { __rl: true, mode: 'id', value: subscription.subscriptionId };
	const parameters = { subscriptionId, events: ['form.submitted'], options: {} };
	const trigger = ownNode(parameters, credential, 'pageAudienceTrigger');
	const ownId = await publish(n8n, 'own', { ...trigger, webhookId: randomUUID() });
	const path = randomUUID();
	const webhookId = await publish(n8n, 'webhook', webhookNode(path, 'onReceived'));

	const [ownMs, webhookMs] = await measureInTurn(
		[
			async () => await deliver(n8n, ownId, subscription.url, count),
			async () => await deliver(n8n, webhookId, `${server.url}/webhook/${path}`, count),
		],
		rounds,
	);
	const what = `${count} deliveries, ${atOnce} at once, until the last execution has ended`;
	return [compare(what, ownMs, webhookMs, 1.25)];
}

async function publish(n8n: MeasuredN8n, name: string, trigger: WorkflowNode): Promise<string> {
	const settings = { executionOrder: 'v1', saveDataSuccessExecution: 'all' };
	return await n8n.publish({ ...connect(name, [trigger, doNothing]), settings });
}

async function deliver(n8n: MeasuredN8n, workflowId: string, url: string, count: number) {
	const httpAgent = new Agent({ keepAlive: true, maxSockets: atOnce });
	const startedAt = Date.now();
	await Promise.all(
		Array.from({ length: count }, async () => {
			const { status } = await axios.post(url, makeBody(), { httpAgent, proxy: false });
			requireEqual('Status', 200, status);
		}),
	);
	httpAgent.destroy();
	await sleep(restMs);
	const executions = await waitForEnds(n8n, workflowId, count);
	const ids = executions.map(({ id }) => id);
	await n8n.client.session.request('POST', '/rest/executions/delete', { ids });
	const ends = executions.map(({ stoppedAt }) => Date.parse(stoppedAt));
	return { ms: Math.max(...ends) - startedAt };
}

type Ended = ExecutionSummary & { stoppedAt: string };

async function waitForEnds({ client }: MeasuredN8n, workflowId: string, count: number) {
	for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(250)) {
		const all = (await client.listExecutions(workflowId)) as Ended[];
		if (all.length < count || !all.every(isOver)) continue;
		requireEqual('Executions', count, all.filter(({ status }) => status === 'success').length);
		return all;
	}
	throw new Error(`${count} deliveries did not lead to as many executions that ended`);
}

/** A submitted form; all bodies have the same size. */
function makeBody() {
	return {
		id: randomUUID(),
		event: 'form.submitted',
		data: {
			pageId: 'page_01hzy0f3vq8w2k5m7n9p4r6s8t',
			form: { name: 'Ada Example', email: 'ada@crm.example', company: 'Example Ltd', seats: 25 },
			message: 'Please call me about the plan for larger teams. '.repeat(8),
		},
	};
}
