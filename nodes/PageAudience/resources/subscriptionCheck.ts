import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { path } from '../../api/request';
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
	parseUrl,
	parseWebAddress,
	readReach,
	withoutQuery,
} from '../../runtime/url';
import { webhookUrlSetting } from '../../webhooks/triggerUrl';
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
						'URL that the subscription must deliver to. Leave empty to expect a webhook of this n8n. Leave out the query to ignore it.',
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
		return { method: 'GET', path: path`/webhook_subscriptions/${id}` };
	},
	run: async ({ subscriptionId: id, expected }, item) => {
		const response = await item.send(item.request).catch((error: unknown) => {
			// A wrong Base URL leads to 404, too, but then every other operation says so.
			if (hasStatus(error, 404, 410)) return undefined;
			throw error;
		});
		const found = response && readRecord(response, 'subscriptionId');
		const problems = listProblems(found, expected, item.n8n);
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
	/** Any webhook of this n8n, if it is missing. */
	url?: string;
}

/** @param subscription undefined if it does not exist */
export function listProblems(
	subscription: IDataObject | undefined,
	expected: Expected,
	n8n: ItemContext['n8n'],
): SubscriptionProblem[] {
	if (!subscription) return [gone];
	const { active, events, url } = subscription;
	const text = typeof url === 'string' ? url : '';
	const base = expected.url === undefined ? readWebhookBase(n8n) : undefined;
	const messages = {
		inactive:
			active === true
				? undefined
				: 'The webhook subscription is inactive. Unpublish and publish the workflow of its trigger, or make it active with Webhook Subscription > Update. If the service switches it off again, look up why in its log of deliveries.',
		events: describeMissing(events, expected.events ?? []),
		url:
			base === undefined ? describeOther(text, expected.url ?? '') : describeElsewhere(text, base),
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

const correct =
	'If the expected URL is that of a trigger, unpublish and publish its workflow. Otherwise, correct the URL in the service or under Expected, or unpublish the workflow whose trigger uses the subscription.';

/** Without a query in the expected URL, any query will do: a trigger registers its URL with a secret token. */
function describeOther(url: string, expected: string): string | undefined {
	const compared = expected.includes('?') ? url : withoutQuery(url);
	return isSameUrl(compared, expected) ? undefined : `${describePlaces(url, expected)} ${correct}`;
}

/**
 * Where n8n takes webhooks, e.g. `https://n8n.example/`: N8N_WEBHOOK_URL with its path. n8n names it to no node, but it
 * resumes executions there, at `webhook-waiting/<execution>`.
 */
function readWebhookBase(n8n: ItemContext['n8n']): string {
	const { resumeUrl } = n8n.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
	const url = parseUrl(String(resumeUrl));
	return url ? url.origin + url.pathname.split('/').slice(0, -2).join('/') + '/' : '';
}

/** Whether the workflow behind a URL of this n8n is published, only n8n knows. */
function describeElsewhere(url: string, base: string): string | undefined {
	const [to, here] = [url, base].map(parseWebAddress);
	const root = `${normalizePath(here?.pathname ?? '')}/`;
	const path = normalizePath(to?.pathname ?? '');
	if (!to || to.origin !== here?.origin || !path.startsWith(root))
		return `${describePlaces(url, base)}${adviseBase(base)} If nothing else needs the subscription, turn on Options > Take Over in its trigger, unpublish the workflow, and publish it.`;
	return path.slice(root.length).startsWith('webhook-test/')
		? `The webhook subscription delivers to a test address, ${describeUrl(url)}, because a test is running, or was interrupted. If it was interrupted, unpublish and publish the workflow of its trigger.`
		: undefined;
}

/** What can't be reached from outside is a process without the address of its n8n, such as a worker. */
function adviseBase(base: string): string {
	const isLocal = readReach(parseWebAddress(base)?.hostname ?? '') === 'loopback';
	return isLocal
		? ` If both are this n8n, set ${webhookUrlSetting} for all its processes, including workers.`
		: '';
}

function describePlaces(url: string, expected: string): string {
	const [shown, wanted] = [url, expected].map(describeUrl);
	const to = `The webhook subscription delivers to ${shown}`;
	// Two addresses can look the same without what may be secret.
	return shown === wanted ? `${to}, but the rest of its URL differs.` : `${to}, not to ${wanted}.`;
}
