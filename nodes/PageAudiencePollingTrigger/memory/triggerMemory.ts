import type { IPollFunctions } from 'n8n-workflow';
import { startLimit } from '../../api/paginate';
import { HandOver } from '../state/stored';
import { Leases } from './lease';
import { Notices } from './notices';

/** What this process remembers of one trigger. */
export class TriggerMemory {
	readonly leases = new Leases();

	readonly handOver = new HandOver();

	readonly notices = new Notices();

	/** The page size that the service accepts. */
	readonly accepted = startLimit();
}

/** One entry per trigger that polls in this process. */
const memories = new Map<string, TriggerMemory>();

/** By the node's name too, as n8n's states are: after a rename both begin anew. */
export function memoryOf(context: IPollFunctions): TriggerMemory {
	const { id, name } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, name]);
	const memory = memories.get(key) ?? new TriggerMemory();
	memories.set(key, memory);
	return memory;
}
