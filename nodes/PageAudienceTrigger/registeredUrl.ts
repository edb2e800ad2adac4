import { createHmac } from 'node:crypto';
import { readConnection } from '../api/connection';
import { parseJson } from '../runtime/unknown';
import { readParameter, withoutParameter, withParameter } from '../runtime/url';
import { isTestUrl } from '../webhooks/triggerUrl';
import { findOwner, type OwnUrl, readTriggerId } from './ownUrl';
import type { TriggerContext, TriggerSettings } from './settings';
import { readState, type SubscriptionState } from './subscription';

/*
 * The query of the URL that the trigger registers with the service: `token`, which deliveries must carry, and `back`, how
 * the subscription was before, and for which workflow. During a test run beside the published workflow, that workflow's
 * URL also has `test`, where the test run takes copies, and `was`, its events and active state before the test run.
 */

/** This trigger's URL. It has no token if Verify Token is off. */
export async function makeRegisteredUrl(
	context: TriggerContext,
	{ href }: OwnUrl,
	{ verifyToken }: TriggerSettings,
	original: SubscriptionState | undefined,
): Promise<string> {
	const url = verifyToken ? withParameter(href, 'token', await makeToken(context)) : href;
	return original ? withBack(url, { ...original, workflow: context.getWorkflow().id }) : url;
}

/** Whose URL it is says `workflow`: an imported copy of a workflow has a trigger with the same ID. */
type Back = SubscriptionState & { workflow?: string };

export function withBack(href: string, { url, events, active, workflow }: Back): string {
	return withState(href, 'back', { url, events, active, workflow });
}

/**
 * The token stays the same as long as the API key does, so it can be made again if the static data was lost.
 * @throws {RangeError} without a key, with which everybody could make it
 */
export async function makeToken(context: TriggerContext): Promise<string> {
	const { apiKey } = await readConnection(context);
	return createHmac('sha256', apiKey).update(readTriggerId(context)).digest('hex');
}

/** The URL of the published workflow, for a test run beside it, with e.g. `test=webhook-test`. */
export function withTest({ url, events, active }: SubscriptionState, { prefix }: OwnUrl): string {
	return withState(withParameter(url, 'test', prefix.slice(1)), 'was', { events, active });
}

export function hasTest(url: string): boolean {
	return readParameter(url, 'test') !== undefined;
}

/** A registered URL that does not say what to restore, for a service that does not keep a longer one. */
export function withoutState(url: string): string {
	return withoutParameter(url, hasTest(url) ? 'was' : 'back');
}

/** In hexadecimal, because a service may change the case of letters. */
function withState(url: string, name: string, state: Partial<Back>): string {
	return withParameter(url, name, Buffer.from(JSON.stringify(state)).toString('hex'));
}

function readParameterState(url: string, name: string): unknown {
	return parseJson(Buffer.from(readParameter(url, name) ?? '', 'hex').toString());
}

export function readBack(url: string): SubscriptionState | undefined {
	return readState(readParameterState(url, 'back'));
}

/** Whether this trigger registered a URL, or, in the hooks of a test run, whether a test run did. */
export function isRegistered(own: OwnUrl, url: string, isTest = own.isTest): boolean {
	const owner = findOwner(own, url);
	return owner === 'test' || (owner === 'production' && (!isTest || hasTest(url)));
}

/** Whether a copy of this workflow, which has the same URL, registered it. A test run only adds to the URL of another one. */
export function isOfCopy(context: TriggerContext, { isTest }: OwnUrl, url: string): boolean {
	const { workflow } = (readParameterState(url, 'back') ?? {}) as Partial<Back>;
	return !isTest && workflow !== undefined && workflow !== context.getWorkflow().id;
}

/**
 * How a subscription was before this trigger and the test runs of others or, in the hooks of a test run, before all test
 * runs, as its URL says: a test run may be over when its URL would be restored.
 * @returns undefined where the URL does not say it
 */
export function readOriginal(
	own: OwnUrl,
	current: SubscriptionState,
	isTest = own.isTest,
): SubscriptionState | undefined {
	let state: SubscriptionState | undefined = current;
	const isPassing = (href: string) => isTestUrl(href) && readBack(href) !== undefined;
	while (state && (isRegistered(own, state.url, isTest) || isPassing(state.url))) {
		const url = withoutParameter(withoutParameter(state.url, 'test'), 'was');
		const was = readParameterState(state.url, 'was') as object | undefined;
		state = hasTest(state.url) ? readState({ ...state, ...was, url }) : readBack(state.url);
	}
	return state;
}

/** Where a test run takes copies, if the query of a delivery to production names one: at this n8n, and this trigger. */
export function readTestUrl(
	own: OwnUrl,
	{ test, token }: Record<string, unknown>,
): string | undefined {
	if (typeof test !== 'string' || !/^[\w-]+(?:\/[\w-]+)*$/.test(test)) return undefined;
	// That is production, which would start twice. n8n ignores the case of letters there.
	if (`/${test}`.toLowerCase() === own.prefix.toLowerCase()) return undefined;
	const url = `${own.origin}/${test}${own.tail}`;
	return typeof token === 'string' ? withParameter(url, 'token', token) : url;
}
