import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { at, GET } from '../../api/request';
import { readRecord } from '../../api/response';
import { subscriptionUrl } from '../../parameters/checks';
import { collectionField, eventKinds, textField } from '../../parameters/fields';
import { subscriptionId } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { enumerate } from '../../runtime/text';
import { describeUrl, isSameUrl, normalizePath, parseUrl, withoutQuery } from '../../runtime/url';
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
	name: 'Check',
	value: 'check',
	action: 'Check webhook subscription',
	description: 'Find out whether a webhook subscription delivers events to the right place',
	forModels:
		'Use this in a scheduled workflow to find out that a Page Audience Trigger receives nothing any more. Branch on healthy; problems says what is wrong.',
	properties: [
		subscriptionId,
		{
			...collectionField('Expected', 'expected', 'field'),
			options: [
				{
					...events,
					description:
						'Events that the subscription must deliver. It may deliver others too. An expression can return an array or comma-separated text.',
				},
				{
					...url,
					description:
						'URL that the subscription must deliver to. Leave empty to expect a published workflow of this n8n.',
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
		return GET(at.webhookSubscription`/webhook_subscriptions/${id}`);
	},
	run: async ({ subscriptionId: id, expected }, run) => {
		const response = await run.send(run.request).catch((error: unknown) => {
			// A wrong Base URL leads to 404, too, but then every other operation says so.
			if (hasStatus(error, 404, 410)) return undefined;
			throw error;
		});
		const found = response && readRecord(response, 'subscriptionId');
		const problems = listProblems(found, expected, readWebhookBase(run.n8n));
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

/** Without a URL, the production URL of any workflow of this n8n is expected. */
export type Expected = { events?: string[]; url?: string };

/**
 * @param subscription undefined if it does not exist
 * @param base where n8n takes webhooks
 */
export function listProblems(
	subscription: IDataObject | undefined,
	expected: Expected,
	base: string,
): Array<{ problem: string; message: string }> {
	if (!subscription) return [{ problem: 'gone', message: gone }];
	const { active, events, url } = subscription;
	const href = typeof url === 'string' ? url : '';
	const messages = {
		inactive: active === true ? '' : inactive,
		events: describeMissing(events, expected.events ?? []),
		url:
			expected.url === undefined
				? describeElsewhere(href, base)
				: describeOther(href, expected.url),
	};
	return Object.entries(messages).flatMap(([problem, message]) =>
		message === '' ? [] : { problem, message },
	);
}

const gone =
	'The webhook subscription was not found: it was deleted, or the credential leads to another tenant or address. Correct the credential, or choose another subscription in the trigger, and publish the workflow.';
const inactive =
	'The webhook subscription is inactive. Unpublish and publish the workflow of its trigger, or make it active with Webhook Subscription > Update. If the service switches it off again, look up why in its log of deliveries.';

/** null is taken for every event, as in the trigger, because the API documents neither. */
function describeMissing(events: unknown, expected: string[]): string {
	if (events === null) return '';
	const listed: unknown[] = Array.isArray(events) ? events : [];
	const missing = expected.filter((kind) => !listed.includes(kind));
	if (missing.length === 0 && (!Array.isArray(events) || events.length > 0)) return '';
	const what = missing.length > 0 ? enumerate(missing) : 'any events';
	return `The webhook subscription does not deliver ${what}. Check Trigger On in its trigger, and unpublish and publish the workflow, or add them with Webhook Subscription > Update.`;
}

/** Without a query in the expected URL, any query will do: a trigger registers its URL with a secret token. */
function describeOther(url: string, expected: string): string {
	const compared = expected.includes('?') ? url : withoutQuery(url);
	if (isSameUrl(compared, expected)) return '';
	const [shown, wanted] = [url, expected].map(describeUrl);
	// Two addresses can look the same without what may be secret.
	const differs = shown === wanted ? 'but the rest of its URL differs' : `not to ${wanted}`;
	return `The webhook subscription delivers to ${shown}, ${differs}. If the expected URL is that of a trigger, unpublish and publish its workflow. Otherwise, correct the URL in the service or under Expected, or unpublish the workflow whose trigger uses the subscription.`;
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

/** n8n tells a node neither which workflows are published, nor the names of its endpoints, which can be changed. */
function describeElsewhere(url: string, base: string): string {
	const [to, here] = [url, base].map((text) => parseUrl(text));
	const shown = describeUrl(url);
	const root = `${normalizePath(here?.pathname ?? '')}/`;
	const path = normalizePath(to?.pathname ?? '');
	if (!to || to.origin !== here?.origin || !path.startsWith(root))
		return `The webhook subscription delivers to ${shown}, not to ${describeUrl(base)}. If both are this n8n, set ${webhookUrlSetting} for all its processes, including workers. If nothing else needs the subscription, turn on Options > Take Over in its trigger, unpublish the workflow, and publish it.`;
	return path.startsWith(`${root}webhook-test/`)
		? `The webhook subscription delivers to a test address, ${shown}, because a test is running, or was interrupted. If it was interrupted, unpublish and publish the workflow of its trigger.`
		: '';
}
