import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/request';
import { readTriggerId } from './ownUrl';
import type { TriggerContext } from './settings';
import { readState, type SubscriptionState } from './subscription';

/*
 * What a trigger remembers: in the workflow's static data, under the trigger's ID, because n8n finds a node's own part
 * by the node's name, and a rename would lose it. A test run has static data of its own, which only its deliveries and
 * its end see.
 */

const key = 'pageAudienceTrigger';

/** How a subscription was before the trigger took it. */
export interface Snapshot extends SubscriptionState {
	subscriptionId: string;
	/**
	 * The trigger does not have to restore it by itself: the workflow was unpublished with Pause or Leave, or the service
	 * has shown these very settings again.
	 */
	stayed?: boolean;
}

interface Memory {
	/** The secret of the registered URL, which counts even after the API key was changed. */
	token?: string;
	snapshots: Snapshot[];
}

export function readToken(context: TriggerContext): string | undefined {
	return readMemory(context).token;
}

export function saveToken(context: TriggerContext, token: string | undefined): void {
	writeMemory(context, { ...readMemory(context), token });
}

export function listSnapshots(context: TriggerContext): Snapshot[] {
	return readMemory(context).snapshots;
}

export function findSnapshot(context: TriggerContext, id: string): Snapshot | undefined {
	return listSnapshots(context).find(({ subscriptionId }) => subscriptionId === id);
}

export function saveSnapshot(context: TriggerContext, snapshot: Snapshot): void {
	const { token, snapshots } = readMemory(context);
	const others = snapshots.filter((each) => each.subscriptionId !== snapshot.subscriptionId);
	writeMemory(context, { token, snapshots: [...others, snapshot] });
}

export function forgetSnapshot(context: TriggerContext, id: string): void {
	const { token, snapshots } = readMemory(context);
	const left = snapshots.filter(({ subscriptionId }) => subscriptionId !== id);
	// Where there is nothing to restore, no URL with the token is left.
	writeMemory(context, { token: left.length > 0 ? token : undefined, snapshots: left });
}

function readMemory(context: TriggerContext): Memory {
	const own = readAll(context)[readTriggerId(context)];
	const { token, snapshots } = isObject(own) ? own : {};
	return {
		token: typeof token === 'string' ? token : undefined,
		snapshots: (Array.isArray(snapshots) ? snapshots : []).flatMap((each: unknown) => {
			const state = readState(each);
			const { subscriptionId, stayed } = isObject(each) ? each : {};
			if (!state || typeof subscriptionId !== 'string') return [];
			return [{ subscriptionId, ...state, stayed: stayed === true }];
		}),
	};
}

/** As a whole: n8n notices changes at the top only. */
function writeMemory(context: TriggerContext, { token, snapshots }: Memory): void {
	const id = readTriggerId(context);
	const all = { ...readAll(context) };
	delete all[id];
	if (token !== undefined || snapshots.length > 0)
		all[id] = {
			...(token === undefined ? {} : { token }),
			snapshots: snapshots.map((each) => ({ ...each })),
		};
	context.getWorkflowStaticData('global')[key] = all;
}

function readAll(context: TriggerContext): IDataObject {
	const all = context.getWorkflowStaticData('global')[key];
	return isObject(all) ? (all as IDataObject) : {};
}
