import { requireEqual } from '../complete.mts';
import type { Lab } from '../lab.mts';
import type { BenchN8n } from '../n8n.mts';
import type { Sample, Subject } from '../subject.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import {
	chain,
	countPersons,
	httpListParameters,
	httpNode,
	ownNode,
	readMemory,
	splitPages,
} from '../workflows.mts';

const count = 100_000;
const pageSize = 100;
const bytesPerMb = 1024 * 1024;
const names = {
	own: 'Page Audience, Return All',
	http: 'HTTP Request node',
	split: 'HTTP Request node and Split Out',
};

type Steps = Array<WorkflowNode | WorkflowNode[]>;

/**
 * The most resident memory of a fresh n8n's process until the node has finished, which a machine or a container must
 * have, and the live heap at that point. For the HTTP Request node this includes Split Out, which turns its pages into
 * records. Nothing is stored, and the records are counted afterwards, so the numbers include neither.
 */
export async function memory(lab: Lab): Promise<Subject> {
	const parameters = { resource: 'person', operation: 'getAll', returnAll: true, options: {} };
	const own = ({ credential }: BenchN8n): WorkflowNode => ownNode(parameters, credential);
	const http = ({ credential }: BenchN8n): WorkflowNode =>
		httpNode(httpListParameters(lab.address.url, pageSize), credential);
	const read = ({ probeUrl }: BenchN8n): WorkflowNode => readMemory(probeUrl);
	const sides: Record<string, (n8n: BenchN8n) => Steps> = {
		[names.own]: (n8n) => [own(n8n), [read(n8n), countPersons]],
		[names.http]: (n8n) => [http(n8n), [read(n8n), splitPages], countPersons],
		[names.split]: (n8n) => [http(n8n), splitPages, [read(n8n), countPersons]],
	};
	return {
		title: `Memory of the n8n process for ${count} persons`,
		unit: 'MB',
		sides: Object.entries(sides).map(([name, steps]) => ({
			name,
			run: async () => await runFresh(lab, name, steps),
		})),
		goals: [{ side: names.own, against: names.http, atMost: 1.2 }],
	};
}

async function runFresh(lab: Lab, name: string, steps: (n8n: BenchN8n) => Steps): Promise<Sample> {
	await lab.service.ask('reset');
	await lab.service.ask('fillPersons', count);
	const n8n = await lab.startN8n();
	try {
		const unstored = { saveDataSuccessExecution: 'none' };
		const workflow = chain(`${name}, memory`, steps(n8n), unstored);
		await n8n.publish(workflow);
		const { answer, reading } = await n8n.runUnstored(workflow, {});
		const { peakInFlight, requests } = await lab.service.ask('traffic');
		// The node's first request asks for 1,000 records, which the service rejects.
		requireEqual('Requests', count / pageSize + (name === names.own ? 1 : 0), requests);
		requireEqual('Persons', count, answer.count_personId);
		requireEqual('Different persons', count, answer.unique_count_personId);
		const { before, heldHeapBytes = 0, peakRssBytes, cpuMs } = reading;
		const mb = (bytes: number): string => String(Math.round(bytes / bytesPerMb));
		const note = `${mb(before.rssBytes)} before; heap ${mb(before.heapBytes)} before, ${mb(heldHeapBytes)} held`;
		return { value: peakRssBytes / bytesPerMb, peakInFlight, cpuMs, note };
	} finally {
		await n8n.stop();
	}
}
