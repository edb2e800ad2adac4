import { randomUUID } from 'node:crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readLoss } from '../runtime/loss';
import { RecentMap } from '../runtime/recentMap';
import { isObject } from '../runtime/unknown';
import { parseUrl, readParameter, withoutQuery } from '../runtime/url';
import { isTriggerUrl } from './triggerUrl';

type Helpers = { helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest'> };

const timeoutMs = 5_000;

/** n8n's helper sends it, but its type does not name it. */
const preflight: string = 'OPTIONS';

/** The body of a request that only asks whether deliveries arrive: the trigger accepts it, and starts nothing. */
const checkBody = { pageAudienceCheck: true };

/** Checks that this process sent, and that have not arrived in it. */
const checksElsewhere = new Set<unknown>();

/** @returns undefined where a delivery is no check */
export function answerCheck(context: IWebhookFunctions): IDataObject | undefined {
	const body: unknown = context.getRequestObject().body;
	if (!isObject(body) || body.pageAudienceCheck !== true) return undefined;
	checksElsewhere.delete(body.id);
	return { started: false, reason: 'This is a check', isOnlyMain: isOnlyMain(context) };
}

/**
 * Whether the process is n8n's only main process, and not one of its command line or of queue mode. n8n tells nodes that in a
 * property that its types hide, or not at all.
 */
function isOnlyMain(context: object): boolean {
	const { instanceSettings } = context as { instanceSettings?: unknown };
	if (!isObject(instanceSettings)) return false;
	const { instanceType, instanceRole, isMultiMain } = instanceSettings;
	return instanceType === 'main' && instanceRole === 'leader' && isMultiMain !== true;
}

/** Why the trigger rejected a delivery, as its response says. */
export const rejections = {
	noToken: 'The request carried no token',
	wrongToken: 'The token is not the registered one',
};

/** What to do then, for n8n's log. Anybody may have sent it. */
export const keepToken =
	'If your service sent it, unpublish and publish the workflow, and let the query of the URL through to n8n';

/** What to do where a published workflow cannot send a copy to a test. One that is just over is the usual cause. */
export const passTests =
	'Unless the test was over, let the proxy in front of n8n pass its test addresses on to the main process of n8n';

/** Whether a value could be the token of a trigger at all. */
export function isTokenLike(given: unknown): given is string {
	return typeof given === 'string' && /^[\da-f]{64}$/i.test(given);
}

export type WebhookAnswer =
	| { kind: 'webhook' | 'no webhook' | 'no token' | 'wrong token' }
	| { kind: 'no node'; type: string }
	| { kind: 'other'; status: number; location?: string }
	/** Nothing that says anything about the webhook, or something that the service meets, too. */
	| Unseen;

interface Unseen {
	kind: 'unseen' | 'blocked';
	/** As the end of a sentence, and what to do. */
	why: string;
}

/** What messages call the setting of n8n's address for webhooks. The new name wins where both are set. */
export const webhookUrlSetting = 'N8N_WEBHOOK_URL (in an older n8n: WEBHOOK_URL)';

/**
 * Where n8n takes webhooks, e.g. `https://n8n.example/`: N8N_WEBHOOK_URL or WEBHOOK_URL with its path. n8n names it to no node, but it
 * resumes executions there, at `webhook-waiting/<execution>`.
 */
export function readWebhookBase(resumeUrl: unknown): string | undefined {
	const url = typeof resumeUrl === 'string' ? parseUrl(resumeUrl) : undefined;
	return url && url.origin + url.pathname.split('/').slice(0, -2).join('/') + '/';
}

/**
 * The URLs of triggers that this process has unpublished. n8n's older engine still takes their deliveries until it has
 * unpublished all triggers of the workflow.
 */
export const ended = new RecentMap<string, true>(1_000);

/**
 * Whether n8n has a webhook for POST at an address of its own. Browsers ask with OPTIONS before they send, and n8n
 * answers with the methods of the webhook, or with OPTIONS alone.
 * @returns undefined where the response does not tell, for example because a proxy stands before n8n
 */
export async function hasWebhook(context: Helpers, href: string): Promise<boolean | undefined> {
	if (ended.has(withoutQuery(href))) return false;
	const { kind } = await askForMethods(context, href);
	return kind === 'webhook' ? true : kind === 'no webhook' ? false : undefined;
}

/**
 * Whether another n8n has a webhook at this trigger's own path. This n8n may have that address, too, from before it moved,
 * and its older engine takes deliveries until a trigger has ended: a delivery that starts nothing then arrives here.
 */
export async function isElsewhere(context: Helpers, href: string): Promise<boolean | undefined> {
	const isServed = await hasWebhook(context, href);
	return isServed && (await sendNamedCheck(context, href)).isElsewhere;
}

/**
 * Whether another n8n with the same address takes the deliveries at this trigger's own URL, such as the one that this one is
 * a copy of. A process of this n8n responds to its command line, in queue mode, and to another main process.
 */
export async function isOfTwin(context: Helpers, href: string): Promise<boolean> {
	if (!isOnlyMain(context)) return false;
	const { isElsewhere, response } = await sendNamedCheck(context, href);
	const body = 'kind' in response ? undefined : response.body;
	return isElsewhere && isObject(body) && body.started === false && body.isOnlyMain === true;
}

/** A check that this process recognizes when it arrives here. */
async function sendNamedCheck(context: Helpers, href: string) {
	const id = randomUUID();
	checksElsewhere.add(id);
	const response = await sendCheck(context, href, id);
	return { response, isElsewhere: checksElsewhere.delete(id) };
}

/**
 * What a delivery to an address of n8n's own would meet. Where the token or n8n's ID says that the address is a trigger's,
 * this sends one that starts nothing, because proxies treat POST and OPTIONS differently. (Another node's trigger at such
 * an address would start, as it does with every delivery.)
 */
export async function askWebhook(context: Helpers, href: string): Promise<WebhookAnswer> {
	const hasToken = isTokenLike(readParameter(href, 'token'));
	const hasId = /\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/webhook\/?$/i.test(withoutQuery(href));
	if (!isTriggerUrl(href) || !(hasToken || hasId)) return await askForMethods(context, href);
	const response = await sendCheck(context, href);
	if ('kind' in response) return response;
	const { status, body } = response;
	const { started, reason, message } = isObject(body) ? body : {};
	if (started === false && reason === rejections.noToken)
		return { kind: hasToken ? 'no token' : 'wrong token' };
	if (started === false && reason === rejections.wrongToken) return { kind: 'wrong token' };
	// A proxy without a way to n8n says it in HTML, and a gateway in JSON of its own.
	if (status === 404 && isObject(body) && body.code === 404) return { kind: 'no webhook' };
	if (started === false && status < 300) return { kind: 'webhook' };
	// Each process of n8n has packages of its own.
	const [, type] = /^Unrecognized node type: (\S+)/.exec(String(message)) ?? [];
	if (type) return { kind: 'no node', type };
	return readRedirect(href, response) ?? { kind: 'other', status };
}

/**
 * Why a delivery does not reach a webhook of n8n's own: some networks do not let n8n reach its public address, and a load
 * balancer may send tests to a process that knows none.
 */
export async function findObstruction(context: Helpers, href: string): Promise<string | undefined> {
	const response = await sendPreflight(context, href);
	if ('kind' in response)
		return `${response.why} Choose a Test Subscription, unpublish the workflow for the test, or let n8n reach this address.`;
	const { status } = response;
	// 405 refuses the question, not a delivery.
	if (status < 300 || status === 405) return undefined;
	return `the response there is ${status}. Let the proxy in front of n8n pass this path on to the main process of n8n, without a login or a redirect.`;
}

async function sendCheck(context: Helpers, url: string, id?: string): Promise<Response | Unseen> {
	const headers = { 'content-type': 'application/json' };
	return await send(context, { method: 'POST', url, headers, body: { ...checkBody, id } });
}

async function sendPreflight(context: Helpers, href: string): Promise<Response | Unseen> {
	return await send(context, {
		method: preflight as IHttpRequestMethods,
		// n8n ignores a slash at the end where it takes deliveries, but not where it names a webhook's methods.
		url: withoutQuery(href).replace(/\/$/, ''),
		headers: { origin: new URL(href).origin },
	});
}

async function askForMethods(context: Helpers, href: string): Promise<WebhookAnswer> {
	const response = await sendPreflight(context, href);
	if ('kind' in response) return response;
	const methods = String(response.headers['access-control-allow-methods'])
		.toUpperCase()
		.split(',')
		.map((method) => method.trim());
	if (methods.includes('POST')) return { kind: 'webhook' };
	if (methods.join() === preflight) return { kind: 'no webhook' };
	return readRedirect(href, response) ?? unseen('something else responds in place of n8n.');
}

interface Response {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

function readRedirect(href: string, { status, headers }: Response): WebhookAnswer | undefined {
	if (status < 300 || status > 399) return undefined;
	const location = String(headers.location ?? '');
	return { kind: 'other', status, location: parseUrl(location, href)?.href ?? location };
}

const unseen = (why: string): Unseen => ({ kind: 'unseen', why });

/** An n8n that cannot reach its own address says nothing about the service. */
async function send(
	{ helpers }: Helpers,
	request: IHttpRequestOptions,
): Promise<Response | Unseen> {
	const options = { ...request, timeout: timeoutMs, disableFollowRedirect: true };
	const full = { returnFullResponse: true, ignoreHttpStatusErrors: true };
	try {
		const response: unknown = await helpers.httpRequest({ ...options, ...full });
		if (!isObject(response) || !isObject(response.headers)) return unseen(noResponse);
		const { statusCode, headers, body } = response;
		return { status: Number(statusCode), headers, body };
	} catch (error) {
		const { code = '', reason } = readLoss(error);
		if (withoutTls.test(reason)) return { kind: 'blocked', why: noHttps };
		if (/^(?:CERT_|ERR_TLS_CERT_)/.test(code)) return { kind: 'blocked', why: unfit };
		if (code === 'ENOTFOUND') return { kind: 'blocked', why: unknownHost };
		return unseen(/^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code) ? distrusted : noResponse);
	}
}

const noResponse = 'n8n gets no response from its own address.';

/** What OpenSSL says of a server that responds, but not with TLS: n8n's own port, where a proxy is to be asked. */
const withoutTls = /wrong version number|packet length too long/;
const noHttps = `what responds there has no HTTPS. Set ${webhookUrlSetting} to the address of the proxy in front of n8n, without n8n's own port, restart n8n, and unpublish and publish the workflow of its trigger.`;
const unfit =
	"the certificate there has expired, or is for another host. Renew or correct it, and check the clock of n8n's machine.";
const unknownHost = `n8n's DNS does not know this host. Correct it in ${webhookUrlSetting}, restart n8n, and unpublish and publish the workflow of its trigger. If only n8n does not know it, add it to n8n's DNS.`;
const distrusted =
	'n8n does not trust the certificate there. If it is self-signed, or comes without the intermediate certificate, the service may not trust it either: correct it. Otherwise, set NODE_EXTRA_CA_CERTS for n8n.';
