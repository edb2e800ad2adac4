import type { IExecuteFunctions } from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { startLimit } from '../../api/paginate';
import { type Options, usualOptions } from '../operation/sharedParameters';
import type { Run } from './open';
import type { SharedState } from './openCall';
import { Memory } from './memory';
import { openOwnWebhooks } from './ownWebhooks';
import { isValid, type Plan } from './plan';
import { Sync } from './sync';

/** A run whose items are planned: what they are executed with. */
export interface Work extends Run {
	plans: Plan[];
	/** Of the first valid item. Some hold for the whole run: Concurrency and Requests per Second. */
	options: Options;
	/** What earlier runs of any execution have written. */
	sync: Sync;
	/**
	 * Opened by the first item, so that a credential that cannot be used fails items like anything else they meet.
	 * @throws {RangeError} when the credential cannot be used
	 */
	openState: () => Promise<SharedState>;
	/** The state of a run in which an item has opened one. */
	findState: () => Promise<SharedState | undefined>;
}

export async function openWork(run: Run, plans: Plan[]): Promise<Work> {
	const { context, hints, signal } = run;
	const values = plans.flatMap((plan) => (isValid(plan) ? [plan.values] : []));
	const options = values.at(0)?.options ?? usualOptions;
	const settings = { ...options, signal };
	const open = async (): Promise<SharedState> => {
		const client = await ApiClient.open(context, settings);
		return {
			client,
			memory: new Memory(context, run.execution, run.name, client.baseUrl),
			hints,
			accepted: startLimit(),
			limits: new Map(),
			shared: new Map(),
			signal,
			values,
			zone: context.getTimezone(),
			webhooks: openOwnWebhooks(context),
			isRetry: context.getMode() === 'retry',
		};
	};
	let opened: Promise<SharedState> | undefined;
	const openState = async () => await (opened ??= open());
	return {
		...run,
		plans,
		options,
		sync: await openSync(context, plans, openState),
		openState,
		// A client that could not be opened has failed each item, and must not stop a run that continues.
		findState: async () => await opened?.catch(() => undefined),
	};
}

/** A credential that cannot be used fails every item, so that nothing is looked up. */
async function openSync(
	context: IExecuteFunctions,
	plans: Plan[],
	openState: () => Promise<SharedState>,
): Promise<Sync> {
	const keys = plans.map((plan) => (plan.kind === 'send' ? plan.synced?.key : undefined));
	const isNeeded = keys.some((key) => key !== undefined);
	const state = isNeeded ? await openState().catch(() => undefined) : undefined;
	return new Sync(context, state?.client.identity ?? '', state ? keys : []);
}
