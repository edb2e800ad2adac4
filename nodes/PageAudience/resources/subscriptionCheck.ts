import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { at } from '../../api/request';
import { readRecord } from '../../api/response';
import { subscriptionUrl } from '../../parameters/checks';
import { eventKinds, textField } from '../../parameters/fields';
import { subscriptionId } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { enumerate } from '../../runtime/text';
import {
	describeUrl,
	isSameUrl,
	normalizePath,
	parseWebAddress,
	readReach,
	withoutQuery,
} from '../../runtime/url';
import {
	askWebhook,
	readWebhookBase,
	type WebhookAnswer,
	webhookUrlSetting,
} from '../../webhooks/ownWebhooks';
import { defineOperation, type ItemContext } from '../operation/operation';

/** Fields that Update and Check share. */

export const events = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	default: [],
	description: 'Events to deliver. An expression can return an array or comma-separated text.',
	options: eventKinds,
} as const satisfies INodeProperties;

export const url = textField('URL', 'url', 'Full URL to deliver events to', {
	placeholder: 'e.g. https://example.com/hook',
});

export const check = defineOperation({
	option: {
		name: 'Check',
		value: 'check',
		action: 'Check webhook subscription',
		description: 'Find out whether a webhook subscription delivers events to the right place',
		builderHint: {
			propertyHint:
				'Use this in a scheduled workflow to find out that a Page Audience Trigger receives nothing any more. Branch on healthy; problems says what is wrong.',
		},
	},
	properties: [
		subscriptionId,
		{
			displayName: 'Expected',
			name: 'expected',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					...events,
					description:
						'Events that the subscription must deliver. It may deliver others too. An expression can return an array or comma-separated text.',
				},
				{
					...url,
					description:
						'URL that the subscription must deliver to. Leave empty to expect a published workflow of this n8n. Leave out the query to ignore it.',
				},
			],
		},
	],
	uses: ['GET /v0/webhook_subscriptions/{subscription_id}'],
	output: {
		isOwn: true,
		adds: {
			subscriptionId: { type: 'string' },
			healthy: { type: 'boolean' },
			problems: {
				type: 'array',
				items: {
					type: 'object',
					properties: { problem: { type: 'string' }, message: { type: 'string' } },
				},
			},
			active: { type: ['boolean', 'null'] },
			events: { type: ['array', 'null'], items: { type: 'string' } },
			deliversTo: { type: ['string', 'null'] },
		},
	},
	keepsWhole: ['expected'],
	checks: { expected: { url: subscriptionUrl('Leave out the query to accept any.') } },
	request: ({ subscriptionId: id, expected }) => {
		// Without events it would find nothing wrong with them.
		if ('events' in expected && expected.events === undefined)
			refuseItem('Expected > Events', 'is blank: fill it in or remove it');
		return { method: 'GET', ...at.webhookSubscription`/webhook_subscriptions/${id}` };
	},
	run: async ({ subscriptionId: id, expected }, item) => {
		const response = await item.send(item.request).catch((error: unknown) => {
			// A wrong Base URL leads to 404, too, but then every other operation says so.
			if (hasStatus(error, 404, 410)) return undefined;
			throw error;
		});
		const found = response && readRecord(response, 'subscriptionId');
		const problems = await listProblems(found, expected, item);
		const { active = null, events = null, url } = found ?? {};
		return [
			{
				subscriptionId: id,
				healthy: problems.length === 0,
				problems,
				active,
				events,
				deliversTo: found ? describeUrl(String(url)) : null,
			},
		];
	},
});

interface SubscriptionProblem extends IDataObject {
	problem: 'gone' | 'inactive' | 'events' | 'url';
	message: string;
}

export interface Expected {
	events?: string[];
	/** A published workflow of this n8n, if it is missing. */
	url?: string;
}

/** @param subscription undefined if it does not exist */
export async function listProblems(
	subscription: IDataObject | undefined,
	expected: Expected,
	item: Pick<ItemContext, 'n8n' | 'hint'>,
): Promise<SubscriptionProblem[]> {
	if (!subscription) return [gone];
	const { active, events, url } = subscription;
	const text = typeof url === 'string' ? url : '';
	const messages = {
		inactive:
			active === true
				? undefined
				: 'The webhook subscription is inactive. Unpublish and publish the workflow of its trigger, or make it active with Webhook Subscription > Update. If the service switches it off again, look up why in its log of deliveries.',
		events: describeMissing(events, expected.events ?? []),
		url: expected.url ? describeOther(text, expected.url) : await describeUnserved(text, item),
	};
	return Object.entries(messages).flatMap(([problem, message]) =>
		message === undefined ? [] : [{ problem: problem as SubscriptionProblem['problem'], message }],
	);
}

const gone: SubscriptionProblem = {
	problem: 'gone',
	message:
		'The webhook subscription was not found: it was deleted, or the credential leads to another tenant or address. Correct the credential, or choose another subscription in the trigger, and publish the workflow.',
};

const chooseEvents =
	'Check Trigger On in its trigger, and unpublish and publish the workflow, or add them with Webhook Subscription > Update.';

/** null is taken for every event, as in the trigger, because the API documents neither. */
function describeMissing(events: unknown, expected: string[]): string | undefined {
	if (events === null) return undefined;
	const listed: unknown[] = Array.isArray(events) ? events : [];
	const missing = expected.filter((kind) => !listed.includes(kind));
	if (missing.length > 0)
		return `The webhook subscription does not deliver ${enumerate(missing)}. ${chooseEvents}`;
	return Array.isArray(events) && events.length === 0
		? `The webhook subscription delivers no events. ${chooseEvents}`
		: undefined;
}

/** Without a query in the expected URL, any query will do: a trigger registers its URL with a secret token. */
function describeOther(url: string, expected: string): string | undefined {
	const compared = expected.includes('?') ? url : withoutQuery(url);
	return isSameUrl(compared, expected)
		? undefined
		: `${describeElsewhere(url, expected)} ${correct}`;
}

const correct =
	'If the expected URL is that of a trigger, unpublish and publish its workflow. Otherwise, correct the URL in the service or under Expected, or unpublish the workflow whose trigger uses the subscription.';

/** n8n calls no trigger that is published again without a change. */
const publish = 'Publish the workflow of its trigger. If it is published, unpublish it first.';

const takeOver =
	'If nothing else needs the subscription, turn on Options > Take Over in its trigger, unpublish the workflow, and publish it.';

async function describeUnserved(
	url: string,
	{ n8n, hint }: Pick<ItemContext, 'n8n' | 'hint'>,
): Promise<string | undefined> {
	const $execution = n8n.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
	const base = readWebhookBase($execution.resumeUrl) ?? '';
	const place = locateUrl(url, base);
	if (place === 'elsewhere')
		return `${describeElsewhere(url, base)}${adviseBase(base)} ${takeOver}`;
	if (place === 'test')
		return `The webhook subscription delivers to a test address, ${describeUrl(url)}, because a test is running, or was interrupted. If it was interrupted: ${publish}`;
	// Only n8n itself is asked, never an address from outside.
	const answer = await askWebhook(n8n, url);
	if (answer.kind === 'unseen')
		hint(
			`Check cannot see whether deliveries arrive at ${describeUrl(url)}: ${answer.why} If no events arrive, open this address in a browser outside your network: you should see a text that begins with {"code":404.`,
		);
	if (answer.kind === 'webhook' && readReach(parseWebAddress(url)?.hostname ?? '') === 'private')
		hint(
			`${describeUrl(url)} looks like an address in n8n's own network, where only a service in that network can deliver. If yours is elsewhere, set ${webhookUrlSetting} to the public address of n8n, restart n8n, and unpublish and publish the workflow.`,
		);
	return describeAnswer(url, answer);
}

function describeAnswer(url: string, answer: WebhookAnswer): string | undefined {
	const shown = describeUrl(url);
	switch (answer.kind) {
		case 'webhook':
		case 'unseen':
			return undefined;
		case 'no webhook':
			return `No published workflow listens at ${shown}. ${publish} If it stays so, another n8n responds there.`;
		case 'no token':
			return `The query of the URL ${shown} is lost on the way to n8n, and the token with it, so the trigger rejects every event (401). Let the proxy in front of n8n pass the query on.`;
		case 'wrong token':
			return `The trigger at ${shown} rejects every event (401), because the token in the URL is missing or wrong. ${publish}`;
		case 'no node':
			return `Events fail at ${shown}, because the n8n process that responds there does not know a node of the workflow (${answer.type}). Install its package in that process (in queue mode, in each webhook process), and restart it.`;
		case 'blocked':
			return `Deliveries cannot arrive at ${shown}, as n8n sees it: ${answer.why} If events do arrive, enter the URL under Expected: n8n then does not ask there.`;
		case 'other': {
			const { status, location } = answer;
			// The trigger itself says so, too, if it cannot read its settings or check the token.
			if (status >= 500)
				return `Deliveries to ${shown} fail at the moment (${status}). Look for the reason in the logs of n8n and of the proxy or tunnel in front of it.`;
			const response = location ? `${status}, a redirect to ${describeUrl(location)}` : status;
			// The address may be that of an earlier N8N_ENDPOINT_WEBHOOK.
			const first = status === 404 ? `${publish} If it stays so, let` : 'Let';
			return `Something other than a published workflow responds at ${shown} (${response}). ${first} the service reach n8n there (in queue mode, a webhook process) without a login, a limit or a redirect. If n8n has another address, such as that of a redirect, set ${webhookUrlSetting} to it, restart n8n, and unpublish and publish the workflow.`;
		}
	}
}

/** Where a URL leads, seen from the base of n8n's webhooks, e.g. `https://n8n.example/`. */
function locateUrl(url: string, base: string): 'elsewhere' | 'test' | 'webhook' {
	const [to, from] = [url, base].map(parseWebAddress);
	const root = `${normalizePath(from?.pathname ?? '')}/`;
	const path = normalizePath(to?.pathname ?? '');
	if (!to || to.origin !== from?.origin || !path.startsWith(root)) return 'elsewhere';
	return path.slice(root.length).startsWith('webhook-test/') ? 'test' : 'webhook';
}

/** What can't be reached from outside is a process without the address of its n8n, such as a worker. */
function adviseBase(base: string): string {
	const isLocal = readReach(parseWebAddress(base)?.hostname ?? '') === 'loopback';
	return isLocal
		? ` If both are this n8n, set ${webhookUrlSetting} for all its processes, including workers.`
		: '';
}

function describeElsewhere(url: string, expected: string): string {
	const [shown, wanted] = [url, expected].map(describeUrl);
	const to = `The webhook subscription delivers to ${shown}`;
	// Two addresses can look the same without what may be secret.
	return shown === wanted ? `${to}, but the rest of its URL differs.` : `${to}, not to ${wanted}.`;
}
