import { requireEqual } from '../complete.mts';
import type { Lab } from '../lab.mts';
import type { Sample, Subject } from '../subject.mts';
import { chain, countPersons, ownNode, sumRecords } from '../workflows.mts';

const count = 100_000;
const pageSize = 100;
const bytesPerMb = 1024 * 1024;
const sides = { items: 'As items', csv: 'As a CSV file', jsonl: 'As a JSON Lines file' };
type OutputAs = keyof typeof sides;

/**
 * What a list as items and as a file adds to the resident memory of a fresh n8n's process until the execution is stored.
 * What comes after the node is part of it: n8n holds and stores what the node returns.
 */
export async function files(lab: Lab): Promise<Subject> {
	return await Promise.resolve({
		title: `Memory that ${count} persons add to the n8n process, by Output As`,
		unit: 'MB',
		sides: Object.entries(sides).map(([outputAs, name]) => ({
			name,
			run: async () => await runFresh(lab, outputAs as OutputAs),
		})),
		goals: [
			{ side: sides.csv, against: sides.items, atMost: 0.25 },
			{ side: sides.jsonl, against: sides.items, atMost: 0.25 },
		],
	});
}

async function runFresh(lab: Lab, outputAs: OutputAs): Promise<Sample> {
	await lab.service.ask('reset');
	await lab.service.ask('fillPersons', count);
	const n8n = await lab.startN8n();
	try {
		const parameters = { resource: 'person', operation: 'getAll', outputAs, returnAll: true };
		const total = outputAs === 'items' ? countPersons : sumRecords;
		const workflow = chain(`${outputAs}, files`, [ownNode(parameters, n8n.credential), total]);
		const id = await n8n.publish(workflow);
		const startedAt = performance.now();
		const { answer, reading } = await n8n.runStored(id, workflow, {});
		const seconds = (performance.now() - startedAt) / 1000;
		const { peakInFlight, requests } = await lab.service.ask('traffic');
		// The node's first request asks for 1,000 records, which the service rejects.
		requireEqual('Requests', count / pageSize + 1, requests);
		requireEqual('Persons', count, answer.count_personId ?? answer.sum_records);
		const { before, peakRssBytes, cpuMs } = reading;
		const note = `${Math.round(before.rssBytes / bytesPerMb)} before; ${seconds.toFixed(1)} s`;
		const addedBytes = peakRssBytes - before.rssBytes;
		return { value: addedBytes / bytesPerMb, peakInFlight, cpuMs, note };
	} finally {
		await n8n.stop();
	}
}
