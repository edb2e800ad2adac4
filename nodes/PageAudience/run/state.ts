import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { type AcceptedLimit, startLimit } from '../../api/paginate';
import { askWebhook, readWebhookBase } from '../../api/ownWebhooks';
import type { Result } from '../../runtime/runTasks';
import type { OwnWebhooks } from '../operation/call';
import type { Operation, Outcome } from '../operation/operation';
import type { RunOptions } from '../operation/sharedParameters';
import type { Execution } from './execution';
import { Memory } from './memory';
import type { Hints } from './messages';
import type { CommonValues, Plan } from './plan';
import type { Sync } from './sync';

/** One run of the node. */
export interface Run {
	context: IExecuteFunctions;
	operation: Operation;
	execution: Execution;
	options: RunOptions;
	plans: Plan[];
	/** What all items share. Opened by the first one, so that a credential that cannot be used fails each item. */
	state: OpenState;
	/** What earlier executions have written. */
	sync: Sync;
	hints: Hints;
	/** An item that fails becomes an error item. Otherwise, it ends the run. */
	continueOnFail: boolean;
	/** Fires when the execution is cancelled. */
	signal?: AbortSignal;
}

/** What an item outputs. */
export interface ItemOutput {
	records: IDataObject[];
	/** Of an operation that writes. */
	outcome?: Outcome;
	/** The file that a list became. */
	binary?: IBinaryKeyData;
}

export type ItemResult = Result<ItemOutput>;

/** What all items of one call of the node share. */
export interface State {
	client: ApiClient;
	/** What this run and earlier ones of the execution have written. */
	memory: Memory;
	/** Of all valid items. */
	all: CommonValues[];
	zone: string;
	webhooks: OwnWebhooks;
	/** n8n runs the execution again, after one that failed or was killed. */
	isRetry: boolean;
	/** What lists have learned about the size of their pages, by path. Of the operation's own, by an empty text. */
	limits: Map<string, AcceptedLimit>;
	/** What the items work out once for all of them. */
	shared: Map<string, unknown>;
}

export interface OpenState {
	/** @throws {RangeError} when the credential cannot be used */
	open: () => Promise<State>;
	/** The state of a run in which an item has opened one. */
	find: () => Promise<State | undefined>;
}

export function openState(
	context: IExecuteFunctions,
	{
		execution,
		name,
		options,
		plans,
	}: { execution: Execution; name: string; options: RunOptions; plans: Plan[] },
): OpenState {
	const open = async (): Promise<State> => {
		const signal = context.getExecutionCancelSignal();
		const client = await ApiClient.open(context, { ...options, signal });
		return {
			client,
			memory: new Memory(context, execution, name, client.baseUrl),
			all: plans.flatMap((plan) => (plan instanceof Error ? [] : [plan.values])),
			zone: context.getTimezone(),
			webhooks: {
				findBase: () => {
					const $execution = context.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
					return readWebhookBase($execution.resumeUrl);
				},
				ask: async (href) => await askWebhook(context, href),
			},
			isRetry: context.getMode() === 'retry',
			limits: new Map<string, AcceptedLimit>([['', startLimit()]]),
			shared: new Map(),
		};
	};
	let opened: Promise<State> | undefined;
	return {
		open: async () => await (opened ??= open()),
		find: async () => await opened?.catch(() => undefined),
	};
}
