import type { IPollFunctions } from 'n8n-workflow';
import type { HandOver } from './memory/handOver';
import type { PolledList } from './open';
import { type History, noHistory } from './state/history';
import { readHistory, readState, type StoredState } from './state/stored';

/** What is known of the list before it is read. */
export interface Recalled {
	state?: StoredState;
	history: History;
}

/** @returns undefined while n8n is storing what another poll returned */
export function recall(
	context: IPollFunctions,
	handOver: HandOver,
	{ scope }: PolledList,
): Recalled | undefined {
	const stored = readState(context.getWorkflowStaticData('node').state, scope);
	if (handOver.isUnderWay(stored, scope)) return undefined;
	const state = handOver.findState(stored, scope);
	return { state, history: (state && readHistory(state)) ?? noHistory };
}
