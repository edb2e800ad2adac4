import type { N8nClient } from '../n8n/client.mts';
import type { Cluster } from '../n8n/cluster.mts';
import { formatTable } from '../table.mts';
import type { Workflows } from './show.mts';

/** Shows which process did what. Returns the executions that no worker ran. */
export async function showWorkers(
	client: N8nClient,
	cluster: Cluster,
	workflows: Workflows,
): Promise<string[]> {
	const rows: string[][] = [];
	const found: string[] = [];
	for (const { id: workflowId, name } of Object.values(workflows)) {
		for (const { id, mode, status } of await client.listExecutions(workflowId)) {
			const worker = cluster.findWorker(id);
			if (worker === undefined) found.push(`no worker ran execution ${id} of "${name}"`);
			rows.push([id, name, describeStart(mode), `worker ${worker ?? '?'}`, status]);
		}
	}
	rows.sort(([a], [b]) => Number(a) - Number(b));
	const head = ['execution', 'workflow', 'started', 'ran on', 'status'];
	console.log(`\n${formatTable(head, rows)}\n`);
	return found;
}

const describeStart = (mode: string): string =>
	mode === 'webhook' ? 'by a delivery, at the webhook process' : 'by hand, at the main process';
