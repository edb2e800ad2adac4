import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { HandOver } from './memory/handOver';
import type { PolledList } from './open';
import { sortByDate, toItems } from './output';
import type { Recalled } from './recall';
import type { Scanned } from './scan';
import { readState, writeState } from './state/stored';

/** Hands the state to n8n together with the items that it starts the workflow for. */
export function store(
	context: IPollFunctions,
	handOver: HandOver,
	{ scope, event, settings }: PolledList,
	{ state, history }: Recalled,
	scanned: Scanned,
): INodeExecutionData[][] | null {
	const items = toItems(sortByDate(scanned.found, 'oldest first'), event, settings);
	const writtenAt = Math.max(Date.now(), (state?.writtenAt ?? 0) + 1);
	const next =
		state && scanned.history === history ? state : writeState(scope, scanned.history, writtenAt);
	const data = context.getWorkflowStaticData('node');
	// As a whole: n8n notices changes at the top only. A state of this process alone is handed to n8n too.
	if (readState(data.state, scope)?.writtenAt !== next.writtenAt) data.state = next;
	if (items.length === 0) {
		handOver.noteQuiet(next);
		return null;
	}
	handOver.noteEmitted(next);
	return [items];
}
