import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { makeContacts } from '../contacts.mts';
import type { MeasuredN8n } from '../measuredN8n.mts';
import { compare, describeLargeRun, measureInTurn, requireEqual, type Row } from '../measure.mts';
import type { NodeRun } from '../probe.mts';
import {
	chain,
	countIds,
	httpListParameters,
	httpNode,
	node,
	ownNode,
	requireEach,
	splitContacts,
	splitOut,
} from '../workflows.mts';

const listPeople = { resource: 'person', operation: 'getAll', returnAll: true, options: {} };

/** All people of the service, and Create or Get, which looks for contacts among them. */
export async function lists(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { credential, sandbox } = n8n;
	const publish = async (name: string, steps: WorkflowNode[]) => {
		const workflow = chain(name, [...steps, countIds('personId')]);
		await n8n.publish(workflow);
		return async (count: number, pageSize: number): Promise<NodeRun> => {
			fill(n8n, count, pageSize);
			const { answer, node } = await n8n.runNode(workflow, {});
			requireEach('personId', count, answer);
			return node;
		};
	};
	const own = await publish('People', [ownNode(listPeople, credential)]);
	const http = await publish('People, HTTP Request node', [
		httpNode('List', httpListParameters(`${sandbox.url}/v0/persons`), credential),
		splitOut('items'),
	]);

	// First, because memory that n8n took for other work would hide what the node adds.
	const large = await own(200_000 * scale, 1_000);

	const count = 20_000 * scale;
	const rows: Row[] = [];
	for (const [pageSize, atMost] of [
		[100, 0.9],
		[1_000, 0.1],
	]) {
		const [ownMs, httpMs] = await measureInTurn(
			[own, http].map((list) => async () => (await list(count, pageSize)).ms),
		);
		rows.push(compare(`${count} people, up to ${pageSize} at a time`, ownMs, httpMs, atMost));
	}
	rows.push(...(await createOrGet(n8n, scale)));
	return [...rows, ...describeLargeRun(`${200_000 * scale} people, 1000 at a time`, large)];
}

const createOrGetParameters = {
	resource: 'person',
	operation: 'createOrGet',
	email: '={{ $json.email }}',
	name: '={{ $json.name }}',
	options: {},
};

/** Half of the contacts exist. From the webhook to its response, because the other side needs three nodes. */
async function createOrGet(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { credential, sandbox } = n8n;
	const count = 1_000 * scale;
	const known = Math.ceil(count / 2);
	const people = 20_000 * scale;
	let round = 0;
	const publish = async (name: string, steps: WorkflowNode[], outputs: number) => {
		const workflow = chain(name, [splitContacts, ...steps, countIds('personId')]);
		await n8n.publish(workflow);
		return (pageSize: number) => async (): Promise<number> => {
			// People of its own: the node remembers for a minute whom it has created.
			const prefix = `round${++round}.`;
			const contacts = makeContacts(count).map((each) => ({ ...each, email: prefix + each.email }));
			fill(n8n, people - known, pageSize);
			for (const { name, email } of contacts.slice(0, known))
				sandbox.store.addPersons(1, { name, email });
			const { answer, ms } = await n8n.run(workflow, { contacts });
			requireEach('personId', outputs, answer);
			requireEqual('People', people + count - known, sandbox.store.persons.size);
			return ms;
		};
	};
	const own = await publish('Create or Get', [ownNode(createOrGetParameters, credential)], count);
	const http = await publish(
		'Create or Get, HTTP Request nodes',
		[
			httpNode('Search', searchParameters(sandbox.url), credential),
			ifNobodyIsFound,
			httpNode('Create', createParameters(sandbox.url), credential),
		],
		count - known,
	);
	const rows: Row[] = [];
	for (const [pageSize, atMost] of [
		[100, 1],
		[1_000, 0.4],
	]) {
		const [ownMs, httpMs] = await measureInTurn([own(pageSize), http(pageSize)]);
		const what = `Create or Get ${count} of ${people} people, up to ${pageSize} at a time`;
		rows.push(compare(what, ownMs, httpMs, atMost));
	}
	return rows;
}

/** So many people, from a service that lists so many at a time. */
function fill({ sandbox }: MeasuredN8n, people: number, pageSize: number): void {
	sandbox.reset();
	sandbox.guesses.maximumLimit = pageSize;
	sandbox.store.addPersons(people - sandbox.store.persons.size);
}

const searchParameters = (url: string) => ({
	url: `${url}/v0/persons/search`,
	sendQuery: true,
	queryParameters: { parameters: [{ name: 'query', value: '={{ $json.email }}' }] },
});

const createParameters = (url: string) => ({
	method: 'POST',
	url: `${url}/v0/persons`,
	sendBody: true,
	specifyBody: 'json',
	jsonBody: `={"name": "{{ $('Split Out').item.json.name }}", "email": "{{ $('Split Out').item.json.email }}"}`,
});

const ifNobodyIsFound = node('Nobody is found', 'n8n-nodes-base.if', 2.2, {
	conditions: {
		options: { version: 2, caseSensitive: true, typeValidation: 'strict' },
		combinator: 'and',
		conditions: [
			{
				leftValue: '={{ $json.items.length }}',
				rightValue: 0,
				operator: { type: 'number', operation: 'equals' },
			},
		],
	},
	options: {},
});
