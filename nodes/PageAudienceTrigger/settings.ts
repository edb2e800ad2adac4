import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readNodeValues } from '../parameters/read';
import type { ValuesOf } from '../parameters/values';
import { listOutputKinds } from './outputs';
import { parameters } from './parameters';

export type TriggerContext = IHookFunctions | IWebhookFunctions;

type TriggerValues = ValuesOf<typeof parameters>;

export type TriggerSettings = ReturnType<typeof readSettings>;

/** @throws {ItemRefusedError} for values that cannot be used */
export function readSettings(context: TriggerContext) {
	// readNodeValues builds exactly what ValuesOf describes, from the same literals.
	const { subscriptionId, events, options } = readNodeValues(
		context,
		parameters,
	) as TriggerValues & { subscriptionId: string };
	return {
		subscriptionId,
		// At least one.
		events,
		/** The events that have an output of their own. */
		outputKinds: listOutputKinds(context.getNode().parameters),
		/** Empty for all pages. */
		pages: options.pages?.page.map((row) => row.pageId) ?? [],
		takeOver: options.takeOver ?? false,
		testSubscriptionId: options.testSubscriptionId,
		outputFormat: options.outputFormat ?? 'payload',
		ignoreDuplicates: options.ignoreDuplicates ?? false,
		verifyToken: options.verifyToken ?? true,
	};
}

/** @returns undefined where a setting has become invalid */
export function findSubscriptionId(context: TriggerContext, isTest = false): string | undefined {
	try {
		const { subscriptionId, testSubscriptionId } = readSettings(context);
		return (isTest && testSubscriptionId) || subscriptionId;
	} catch {
		return undefined;
	}
}

/** This can be read even if another setting is invalid. */
export function readOnDeactivate(context: TriggerContext): 'restore' | 'pause' | 'leave' {
	const value = readOption(context, 'onDeactivate');
	return value === 'pause' || value === 'leave' ? value : 'restore';
}

/** This can be read even if another setting is invalid. It counts as on, unless it is certainly off. */
export function readVerifyToken(context: TriggerContext): boolean {
	return readOption(context, 'verifyToken') !== false;
}

function readOption(context: TriggerContext, name: string): unknown {
	try {
		return context.getNodeParameter(`options.${name}`);
	} catch {
		return undefined;
	}
}
