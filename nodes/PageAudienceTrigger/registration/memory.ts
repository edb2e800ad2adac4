import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';
import type { TriggerContext } from '../settings';
import { readState, type State } from './state';

/** How a subscription was before it was borrowed. */
export interface Keep {
	subscriptionId: string;
	state: State;
	/** The workflow was unpublished, and the subscription stayed here. */
	stayed: boolean;
}

/*
 * What this trigger wrote into the workflow's static data. n8n saves it late, loses it in a crash, and may bring an
 * older version back: nothing that checks deliveries may rest on it, and nothing is given back without looking
 * whether it is still this trigger's to give.
 */

export function readKeeps(context: TriggerContext): Keep[] {
	const { kept } = context.getWorkflowStaticData('node');
	return (Array.isArray(kept) ? kept : []).flatMap((entry: unknown): Keep[] => {
		if (!isObject(entry)) return [];
		const state = readState(entry);
		const { subscriptionId, stayed } = entry;
		return state && typeof subscriptionId === 'string'
			? [{ subscriptionId, state, stayed: stayed === true }]
			: [];
	});
}

export function findKeep(context: TriggerContext, subscriptionId: string): Keep | undefined {
	return readKeeps(context).find((keep) => keep.subscriptionId === subscriptionId);
}

export function writeKeep(context: TriggerContext, keep: Keep): void {
	const others = readKeeps(context).filter(
		({ subscriptionId }) => subscriptionId !== keep.subscriptionId,
	);
	writeKeeps(context, [...others, keep]);
}

export function forgetKeep(context: TriggerContext, subscriptionId: string): void {
	const keeps = readKeeps(context);
	const left = keeps.filter((keep) => keep.subscriptionId !== subscriptionId);
	if (left.length < keeps.length) writeKeeps(context, left);
}

/** As a whole: n8n notices changes at the top only. */
function writeKeeps(context: TriggerContext, keeps: Keep[]): void {
	context.getWorkflowStaticData('node').kept = keeps.map(({ subscriptionId, state, stayed }) => ({
		subscriptionId,
		...state,
		...(stayed ? { stayed } : {}),
	}));
}

/** What a test remembers until it ends; n8n loses it with its process. */
export interface TestMemory {
	subscriptionId: string;
	kept?: State;
	/** The events before a test beside production, and during it. */
	events?: { before: string[] | null; during: string[] | null };
}

/** A test has static data of its own, empty at first and handed to its deliveries and its end. */
export function writeTestMemory(context: TriggerContext, memory: TestMemory): void {
	context.getWorkflowStaticData('node').test = { ...memory } as IDataObject;
}

export function readTestMemory(context: TriggerContext): Partial<TestMemory> {
	const { test } = context.getWorkflowStaticData('node');
	if (!isObject(test) || typeof test.subscriptionId !== 'string') return {};
	const { events } = test;
	return {
		subscriptionId: test.subscriptionId,
		kept: readState(test.kept),
		events: isObject(events)
			? { before: toList(events.before), during: toList(events.during) }
			: undefined,
	};
}

function toList(value: unknown): string[] | null {
	return Array.isArray(value) ? value.map(String) : null;
}
