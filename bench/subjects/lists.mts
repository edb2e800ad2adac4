import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { makeContacts } from '../contacts.mts';
import type { MeasuredN8n } from '../measuredN8n.mts';
import { compare, describeLargeRun, measureInTurn, requireEqual, type Row } from '../measure.mts';
import type { NodeRun } from '../probe.mts';
import {
	httpGet,
	httpListParameters,
	httpNode,
	httpPost,
	node,
	ownNode,
	splitContacts,
	splitOut,
} from '../workflows.mts';

/** All people of the service, and Create or Get, which looks for contacts among them. */
export async function lists(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { credential, sandbox } = n8n;
	const prepare = async (name: string, steps: WorkflowNode[]) => {
		const run = await n8n.prepare(name, steps, 'personId');
		return (count: number, pageSize: number) => async (): Promise<NodeRun> => {
			fill(n8n, count, pageSize);
			return (await run({}, count))[0];
		};
	};
	const parameters = { resource: 'person', operation: 'getAll', returnAll: true, options: {} };
	const own = await prepare('people', [ownNode(parameters, credential)]);
	const http = await prepare('people-http', [
		httpNode(httpListParameters(`${sandbox.url}/v0/persons`), credential),
		splitOut('items'),
	]);

	// First, because memory that n8n took for other work would hide what the node adds.
	const large = await own(200_000 * scale, 1_000)();

	const count = 20_000 * scale;
	const rows: Row[] = [];
	for (const [pageSize, atMost] of [
		[100, 0.9],
		[1_000, 0.1],
	]) {
		const [ownMs, httpMs] = await measureInTurn([own(count, pageSize), http(count, pageSize)]);
		rows.push(compare(`${count} people, up to ${pageSize} at a time`, ownMs, httpMs, atMost));
	}
	rows.push(...(await createOrGet(n8n, scale)));
	return [...rows, ...describeLargeRun(`${200_000 * scale} people, 1000 at a time`, large)];
}

/** Half of the contacts exist. From the webhook to its response, because the other side needs three nodes. */
async function createOrGet(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { credential, sandbox } = n8n;
	const count = 1_000 * scale;
	const known = Math.ceil(count / 2);
	const people = 20_000 * scale;
	const contacts = makeContacts(count);
	const prepare = async (name: string, steps: WorkflowNode[], outputs: number) => {
		const run = await n8n.prepare(name, [splitContacts, ...steps], 'personId');
		return (pageSize: number) => async () => {
			fill(n8n, people - known, pageSize);
			for (const { name, email } of contacts.slice(0, known))
				sandbox.store.addPersons(1, { name, email });
			const { responseMs: ms } = await run({ contacts }, outputs);
			requireEqual('People', people + count - known, sandbox.store.persons.size);
			return { ms };
		};
	};
	const contact = { email: '={{ $json.email }}', name: '={{ $json.name }}' };
	const parameters = { resource: 'person', operation: 'createOrGet', ...contact, options: {} };
	const own = await prepare('create-or-get', [ownNode(parameters, credential)], count);
	const query = { query: '={{ $json.email }}' };
	const split = "$('splitOut').item.json";
	const body = `{"name": "{{ ${split}.name }}", "email": "{{ ${split}.email }}"}`;
	const http = await prepare(
		'create-or-get-http',
		[
			httpNode(httpGet(`${sandbox.url}/v0/persons/search`, query), credential, 'search'),
			ifNobodyIsFound,
			httpNode(httpPost(`${sandbox.url}/v0/persons`, body), credential, 'create'),
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

const ifNobodyIsFound = node('base.if', 1, {
	conditions: { number: [{ value1: '={{ $json.items.length }}', operation: 'equal', value2: 0 }] },
});
