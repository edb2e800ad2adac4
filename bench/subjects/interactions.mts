import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { requireEqual } from '../complete.mts';
import type { Lab } from '../lab.mts';
import type { BenchN8n } from '../n8n.mts';
import type { Sample, Subject } from '../subject.mts';
import {
	chain,
	countSessions,
	httpInteractionsParameters,
	httpNode,
	httpSessionsParameters,
	ownNode,
	splitPages,
} from '../workflows.mts';

const count = 500;
const names = {
	own: 'Page Audience, Include Interactions',
	wide: 'Page Audience, concurrency 50',
	http: 'Two HTTP Request nodes',
};

/** Sessions with what each visitor did, from the webhook to its response: the other side needs several nodes. */
export async function interactions(lab: Lab): Promise<Subject> {
	const pageId = await lab.service.ask('pageId');
	const own = (options: object) => (n8n: BenchN8n) => [
		ownNode(
			{
				resource: 'audienceSession',
				operation: 'getAll',
				pageId,
				includeInteractions: true,
				returnAll: true,
				options,
			},
			n8n.credential,
		),
		countSessions,
	];
	const http = ({ credential }: BenchN8n) => [
		httpNode(httpSessionsParameters(lab.address.url, pageId), credential),
		splitPages,
		{
			...httpNode(httpInteractionsParameters(lab.address.url), credential),
			name: 'Interactions',
		},
		countSessions,
	];
	const sides = [
		{ name: names.own, run: await publish(lab, names.own, own({}), pageId) },
		{ name: names.wide, run: await publish(lab, names.wide, own({ concurrency: 50 }), pageId) },
		{ name: names.http, run: await publish(lab, names.http, http, pageId) },
	];
	return {
		title: `${count} sessions with their interactions`,
		unit: 'ms',
		sides,
		goals: [],
		warmUp: async () => {
			for (const { run } of sides) await run();
		},
	};
}

async function publish(
	lab: Lab,
	name: string,
	makeSteps: (n8n: BenchN8n) => WorkflowNode[],
	pageId: string,
): Promise<() => Promise<Sample>> {
	const n8n = await lab.n8n();
	const unstored = { saveDataSuccessExecution: 'none' };
	const workflow = chain(`${name}, interactions`, makeSteps(n8n), unstored);
	await n8n.publish(workflow);
	return async () => {
		await lab.service.ask('reset');
		await lab.service.ask('fillSessions', pageId, count);
		const startedAt = performance.now();
		const { answer, reading } = await n8n.runUnstored(workflow, {});
		const value = performance.now() - startedAt;
		const { peakInFlight } = await lab.service.ask('traffic');
		requireEqual('Sessions', count, answer.count_interactions);
		return { value, peakInFlight, cpuMs: reading.cpuMs };
	};
}
