import type { JsonObject } from '../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { requireEqual } from '../complete.mts';
import { makeContacts } from '../contacts.mts';
import type { Lab } from '../lab.mts';
import type { BenchN8n } from '../n8n.mts';
import type { Sample, Subject } from '../subject.mts';
import {
	chain,
	countPersons,
	httpCreateParameters,
	httpNode,
	httpSearchParameters,
	ifNobodyIsFound,
	ownNode,
	splitContacts,
} from '../workflows.mts';

const count = 1_000;
const people = 20_000;
const contacts = makeContacts(count);
/** Every second contact exists. */
const known = contacts.filter((_, index) => index % 2 === 0);
const http = 'HTTP Request nodes, search and create';

/** 1,000 contacts against 20,000 people, from the webhook to its response: the other side needs several nodes. */
export async function createOrGet(lab: Lab): Promise<Subject> {
	return await createOrGetFrom(lab, 100, 1);
}

/** The same of a service that allows 1,000 people at a time. */
export async function createOrGetLargePages(lab: Lab): Promise<Subject> {
	return await createOrGetFrom(lab, 1_000, 0.4);
}

async function createOrGetFrom(lab: Lab, largest: number, atMost: number): Promise<Subject> {
	const own = (lookup: string) => (n8n: BenchN8n) => [
		ownNode(
			{
				resource: 'person',
				operation: 'createOrGet',
				email: '={{ $json.email }}',
				name: '={{ $json.name }}',
				options: { lookup },
			},
			n8n.credential,
		),
		countPersons,
	];
	const others = ({ credential }: BenchN8n) => [
		httpNode(httpSearchParameters(lab.address.url), credential),
		ifNobodyIsFound,
		{ ...httpNode(httpCreateParameters(lab.address.url), credential), name: 'Create' },
		countPersons,
	];
	const auto = 'Page Audience, Lookup Auto';
	const search = 'Page Audience, Lookup Search';
	return {
		title: `Create or get ${count} of ${people} people, listed by ${largest}`,
		unit: 'ms',
		sides: [
			{ name: auto, run: await publish(lab, largest, auto, own('auto'), count) },
			{ name: search, run: await publish(lab, largest, search, own('search'), count) },
			{ name: http, run: await publish(lab, largest, http, others, count - known.length) },
		],
		goals: [
			{ side: auto, against: http, atMost },
			{ side: search, against: http, atMost: 1.5 },
		],
	};
}

async function publish(
	lab: Lab,
	largest: number,
	name: string,
	makeSteps: (n8n: BenchN8n) => WorkflowNode[],
	outputs: number,
): Promise<() => Promise<Sample>> {
	const n8n = await lab.n8n();
	const steps = [splitContacts, ...makeSteps(n8n)];
	const workflow = chain(`${name}, people by ${largest}`, steps, {
		saveDataSuccessExecution: 'none',
	});
	await n8n.publish(workflow);
	const input: JsonObject = { contacts };
	return async () => {
		await lab.service.ask('reset');
		await lab.service.ask('allowLimit', largest);
		await lab.service.ask('fillPersons', people - known.length);
		await lab.service.ask('addPersons', known);
		const startedAt = performance.now();
		const { answer, reading } = await n8n.runUnstored(workflow, input);
		const value = performance.now() - startedAt;
		const { peakInFlight, requests } = await lab.service.ask('traffic');
		requireEqual('People in the output', outputs, answer.count_personId);
		const stored = await lab.service.ask('personIds');
		requireEqual('People in the service', people + count - known.length, stored.length);
		return { value, peakInFlight, cpuMs: reading.cpuMs, note: `${requests} requests` };
	};
}
