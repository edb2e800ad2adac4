import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../runtime/unknown';
import { readParameter } from '../runtime/url';
import { readTriggerId } from './ownUrl';
import type { TriggerContext } from './settings';
import { readState, type SubscriptionState } from './subscription';

/*
 * A trigger saves its data in the workflow's static data, under the trigger's ID. (n8n finds a node's own static data by
 * the node's name, so a rename would lose it.) A test run has static data of its own, which only its deliveries and its
 * end see.
 */

const section = 'pageAudienceTrigger';

/** How a subscription was before the trigger took it. */
interface Original extends SubscriptionState {
	subscriptionId: string;
}

interface TriggerData {
	/** The token of the registered URL. It stays valid after the API key was changed. */
	token?: string;
	/** Under the name that saved workflows have. */
	snapshots: Original[];
}

export function findSavedOriginal(context: TriggerContext, id: string): Original | undefined {
	return readData(context).snapshots.find(({ subscriptionId }) => subscriptionId === id);
}

/** Saves what the trigger has registered, and what to restore if the registered URL does not say it. */
export function saveRegistration(
	context: TriggerContext,
	subscriptionId: string,
	url: string,
	original: SubscriptionState | undefined,
): void {
	forgetOriginal(context, subscriptionId);
	const { snapshots } = readData(context);
	if (original) snapshots.push({ ...original, subscriptionId });
	writeData(context, { token: readParameter(url, 'token'), snapshots });
}

export function forgetOriginal(context: TriggerContext, id: string): void {
	const { token, snapshots } = readData(context);
	const left = snapshots.filter(({ subscriptionId }) => subscriptionId !== id);
	// With nothing to restore, nothing is kept. The API key makes a token again that a delivery does not find here.
	writeData(context, { token: left.length > 0 ? token : undefined, snapshots: left });
}

export function readData(context: TriggerContext): TriggerData {
	const own = readAll(context)[readTriggerId(context)];
	const { token, snapshots } = isObject(own) ? own : {};
	return {
		token: typeof token === 'string' ? token : undefined,
		snapshots: (Array.isArray(snapshots) ? snapshots : []).flatMap((each: unknown) => {
			const state = readState(each);
			const { subscriptionId } = isObject(each) ? each : {};
			return state && typeof subscriptionId === 'string' ? [{ subscriptionId, ...state }] : [];
		}),
	};
}

/** Replaces the whole section: n8n saves static data only if one of its own properties was set. */
function writeData(context: TriggerContext, { token, snapshots }: TriggerData): void {
	const id = readTriggerId(context);
	const all = { ...readAll(context) };
	if (token === undefined && snapshots.length === 0) delete all[id];
	else all[id] = { token, snapshots: snapshots.map((each) => ({ ...each })) };
	context.getWorkflowStaticData('global')[section] = all;
}

function readAll(context: TriggerContext): IDataObject {
	const all = context.getWorkflowStaticData('global')[section];
	return isObject(all) ? (all as IDataObject) : {};
}
