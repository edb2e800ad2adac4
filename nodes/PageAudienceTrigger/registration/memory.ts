import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { readTriggerId } from '../address/ownUrl';
import type { TriggerContext } from '../settings';
import { readState, type State } from './state';

/** How a subscription was before the trigger used it. */
export interface Keep {
	subscriptionId: string;
	state: State;
	/** The workflow was unpublished, and the subscription still delivers here. */
	stayed: boolean;
}

/*
 * What this trigger wrote into the workflow's static data. n8n saves it late, loses it in a crash, and may bring an
 * older version back. So nothing that checks deliveries rests on it, and nothing is restored without a look at whether
 * the subscription is still this trigger's. It is the workflow's part of the data, under the trigger's ID: n8n finds a
 * node's part by the node's name, and a rename would lose it.
 */

const key = 'pageAudienceTrigger';

export function readKeeps(context: TriggerContext): Keep[] {
	const own = readAll(context)[readTriggerId(context)];
	return parseKeeps(own ?? context.getWorkflowStaticData('node')[earlierKey]);
}

/** Version 0.1.0 kept it in the node's part, and n8n calls no hook when the package is updated. */
const earlierKey = 'kept';

function parseKeeps(kept: unknown): Keep[] {
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
	const id = readTriggerId(context);
	const own = keeps.map(({ subscriptionId, state, stayed }) => ({
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
	kept?: State;
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
