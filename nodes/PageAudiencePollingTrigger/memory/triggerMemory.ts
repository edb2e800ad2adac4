import type { IPollFunctions } from 'n8n-workflow';
import { startLimit } from '../../api/paginate';
import { RecentMap } from '../../runtime/recentMap';
import { HandOver } from '../state/stored';
import { Leases } from './lease';
import { Notices } from './notices';
import { Turns } from './turns';

/** What this process remembers of one trigger. */
export class TriggerMemory {
	readonly leases = new Leases();

	readonly notices = new Notices();

	readonly turns = new Turns();

	/** The page size that the service accepts. */
	readonly accepted = startLimit();

	private readonly handOvers = new Map<string, HandOver>();

	handOverOf({ scope }: { scope: string }): HandOver {
		const handOver = this.handOvers.get(scope) ?? new HandOver();
		this.handOvers.set(scope, handOver);
		return handOver;
	}

	/** Forgets the states of all other lists. */
	keepOnly(lists: Array<{ scope: string }>): void {
		const scopes = lists.map(({ scope }) => scope);
		for (const scope of this.handOvers.keys())
			if (!scopes.includes(scope)) this.handOvers.delete(scope);
	}
}

/** One entry per trigger that polled in this process: n8n does not tell which of them were deleted. */
const memories = new RecentMap<string, TriggerMemory>(10_000);

/** By the node's name too, as n8n's states are: after a rename both begin anew. */
export function memoryOf(context: IPollFunctions): TriggerMemory {
	const { id, name } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, name]);
	const memory = memories.get(key) ?? new TriggerMemory();
	memories.set(key, memory);
	return memory;
}
