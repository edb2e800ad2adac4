import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/request';
import { readTriggerId } from './identity';
import type { TriggerContext } from './settings';
import { readState, type SubscriptionState } from './subscription/state';

/** The settings of a subscription's previous owner. */
export interface Snapshot {
	subscriptionId: string;
	state: SubscriptionState;
	/** The workflow was unpublished, and the subscription still delivers here. */
	stayed: boolean;
}

/*
 * What this trigger saves in the workflow's static data. n8n stores it late, loses it in a crash, and may bring an
 * older version back. So no check of a delivery depends on it, and before the trigger restores a snapshot, it checks
 * that it still has the subscription. The data is in the workflow's part, under the trigger's ID: n8n finds a node's
 * part by the node's name, and a rename would lose it.
 */

const key = 'pageAudienceTrigger';

/** Version 0.1.0 used the node's part, and n8n calls no hook when the package is updated. */
const earlierKey = 'kept';

export function readSnapshots(context: TriggerContext): Snapshot[] {
	const own = readAll(context)[readTriggerId(context)];
	const saved = own ?? context.getWorkflowStaticData('node')[earlierKey];
	return (Array.isArray(saved) ? saved : []).flatMap((entry: unknown): Snapshot[] => {
		if (!isObject(entry)) return [];
		const state = readState(entry);
		const { subscriptionId, stayed } = entry;
		return state && typeof subscriptionId === 'string'
			? [{ subscriptionId, state, stayed: stayed === true }]
			: [];
	});
}

export function findSnapshot(
	context: TriggerContext,
	subscriptionId: string,
): Snapshot | undefined {
	return readSnapshots(context).find((snapshot) => snapshot.subscriptionId === subscriptionId);
}

export function saveSnapshot(context: TriggerContext, snapshot: Snapshot): void {
	const { subscriptionId } = snapshot;
	const others = readSnapshots(context).filter((each) => each.subscriptionId !== subscriptionId);
	writeSnapshots(context, [...others, snapshot]);
}

export function forgetSnapshot(context: TriggerContext, subscriptionId: string): void {
	const snapshots = readSnapshots(context);
	const left = snapshots.filter((snapshot) => snapshot.subscriptionId !== subscriptionId);
	if (left.length < snapshots.length) writeSnapshots(context, left);
}

/** As a whole: n8n notices changes at the top only. */
function writeSnapshots(context: TriggerContext, snapshots: Snapshot[]): void {
	const id = readTriggerId(context);
	const own = snapshots.map(({ subscriptionId, state, stayed }) => ({
		subscriptionId,
		...state,
		...(stayed ? { stayed } : {}),
	}));
	const others = Object.entries(readAll(context)).filter(([other]) => other !== id);
	const all = own.length ? [...others, [id, own]] : others;
	context.getWorkflowStaticData('global')[key] = Object.fromEntries(all) as IDataObject;
	const node = context.getWorkflowStaticData('node');
	if (earlierKey in node) delete node[earlierKey];
}

function readAll(context: TriggerContext): IDataObject {
	const all = context.getWorkflowStaticData('global')[key];
	return isObject(all) ? (all as IDataObject) : {};
}

/** What a test run remembers until it ends; n8n loses it with its process. */
export interface TestMemory {
	subscriptionId: string;
	/** The settings of the previous owner. */
	kept?: SubscriptionState;
}

/** A test run has static data of its own, empty at first and handed to its deliveries and its end. */
export function writeTestMemory(context: TriggerContext, memory: TestMemory): void {
	context.getWorkflowStaticData('node').test = { ...memory } as IDataObject;
}

export function readTestMemory(context: TriggerContext): Partial<TestMemory> {
	const { test } = context.getWorkflowStaticData('node');
	if (!isObject(test) || typeof test.subscriptionId !== 'string') return {};
	return { subscriptionId: test.subscriptionId, kept: readState(test.kept) };
}
