import { setTimeout as sleep } from 'node:timers/promises';
import { isOver, itemsOf } from '../../tools/n8n/execution.mts';
import { requireEqual, requireSuccess } from '../complete.mts';
import type { Lab } from '../lab.mts';
import type { BenchN8n } from '../n8n.mts';
import type { Sample, Subject } from '../subject.mts';
import {
	chain,
	countSessions,
	httpNode,
	httpSessionsParameters,
	pollingWorkflow,
	splitPages,
} from '../workflows.mts';

const count = 20_000;
const names = { own: 'Page Audience Polling Trigger', http: 'HTTP Request node' };

/**
 * 20,000 sessions of a page: from publishing until the first execution of the polling trigger has ended, and from the
 * webhook to its response for the other side. The trigger also makes a state of what it has seen.
 */
export async function polling(lab: Lab): Promise<Subject> {
	const pageId = await lab.service.ask('pageId');
	const n8n = await lab.n8n();
	const steps = [
		httpNode(httpSessionsParameters(lab.address.url, pageId), n8n.credential),
		splitPages,
	];
	const http = chain(`${names.http}, sessions`, [...steps, countRecords], {
		saveDataSuccessExecution: 'none',
	});
	await n8n.publish(http);
	const fill = async () => {
		await lab.service.ask('reset');
		await lab.service.ask('fillSessions', pageId, count);
		await lab.service.ask('traffic');
	};
	return {
		title: `A poll over ${count} sessions`,
		unit: 'ms',
		sides: [
			{
				name: names.own,
				run: async () => {
					await fill();
					return await pollOnce(lab, n8n, pageId);
				},
			},
			{
				name: names.http,
				run: async () => {
					await fill();
					const startedAt = performance.now();
					const { answer, reading } = await n8n.runUnstored(http, {});
					const value = performance.now() - startedAt;
					requireEqual('Sessions', count, answer.count_audienceSessionId);
					return { value, cpuMs: reading.cpuMs };
				},
			},
		],
		goals: [{ side: names.own, against: names.http, atMost: 2 }],
	};
}

const countRecords = {
	...countSessions,
	parameters: {
		fieldsToSummarize: { values: [{ aggregation: 'count', field: 'audienceSessionId' }] },
		options: {},
	},
};

/** Publishes a polling trigger that begins with all sessions, and waits for its first execution. */
async function pollOnce(lab: Lab, n8n: BenchN8n, pageId: string): Promise<Sample> {
	const { id } = await n8n.client.createWorkflow(
		pollingWorkflow(names.own, pageId, n8n.credential, {
			pollTimes: { item: [{ mode: 'everyHour', minute: 59 }] },
			startFrom: 'all',
			next: countRecords,
		}),
	);
	const { done, reading } = await n8n.read(async () => {
		const startedAt = performance.now();
		await n8n.client.activate(id);
		for (;;) {
			const [execution] = await n8n.client.listExecutions(id);
			if (execution && isOver(execution)) return { execution, ms: performance.now() - startedAt };
			await sleep(50);
		}
	});
	const execution = await n8n.client.waitForExecution(done.execution.id);
	requireSuccess(execution);
	await n8n.client.deactivate(id);
	const { requests } = await lab.service.ask('traffic');
	const item = itemsOf(execution, countRecords.name)[0];
	requireEqual('Sessions', count, item?.json.count_audienceSessionId);
	return { value: done.ms, cpuMs: reading.cpuMs, note: `${requests} requests` };
}
