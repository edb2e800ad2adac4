import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { node } from '../bench/workflows.mts';
import type { WorkflowNode } from '../tools/n8n/workflow.mts';
import { atEnd } from '../tools/lifetime.mts';

/** How often each delivery started the workflow, as the workflow itself tells. */
export type Counter = {
	/** The node that tells it. n8n need not store an execution for that. */
	node: WorkflowNode;
	ran: Map<number, number>;
};

/** Counts what comes behind a trigger, by the number that each delivery carries as `n`. */
export async function startCounter(): Promise<Counter> {
	const ran = new Map<number, number>();
	const server = createServer(({ url = '' }, response) => {
		const n = Number(url.slice(1));
		ran.set(n, (ran.get(n) ?? 0) + 1);
		response.end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	atEnd(() => server.closeAllConnections());
	const { port } = server.address() as AddressInfo;
	const url = `=http://127.0.0.1:${port}/{{ $json.n }}`;
	return { ran, node: node('Count', 'n8n-nodes-base.httpRequest', 4.5, { url, options: {} }) };
}
