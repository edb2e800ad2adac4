import type { IDataObject } from 'n8n-workflow';
import { parseWebAddress } from '../../../api/parseUrl';
import { path } from '../../../api/path';
import type { ApiRequest } from '../../../api/request';
import { describeUrl } from '../../../parameters/describeUrl';
import { eventKinds } from '../../../parameters/eventKinds';
import { subscriptionId } from '../../../parameters/locators';
import { refuseItem } from '../../../parameters/problem';
import { defineOperation } from '../../operation/operation';
import { dryRun, ownOptions } from '../../operation/sharedParameters';
import type { Trouble } from './health';
import { findSubscription, inspectSubscription } from './inspect';
import { findRepair, listRepaired, sendRepair } from './repair';
import { subscriptionUrl, urlOf } from './subscription';

export const check = defineOperation({
	option: {
		name: 'Check',
		value: 'check',
		action: 'Check webhook subscription',
		description: 'Find out whether a webhook subscription delivers events to the right place',
		builderHint: {
			propertyHint:
				'Use this in a scheduled workflow to find out that a Page Audience Trigger receives nothing any more. Branch on healthy; problems says what is wrong. With options.repair it turns the subscription on and adds missing events.',
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
					displayName: 'Events',
					name: 'events',
					type: 'multiOptions',
					default: [],
					description:
						'Events that the subscription must deliver. It may deliver others too. An expression can return an array or comma-separated text.',
					options: eventKinds,
				},
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/hook',
					description:
						'URL that the subscription must deliver to. Leave empty to expect a published workflow of this n8n. Leave out the query to ignore it.',
				},
			],
		},
		{
			...ownOptions,
			options: [
				// Without a condition on Repair: n8n drops a hidden option, and takes an option at its default for missing.
				dryRun,
				{
					displayName: 'Repair',
					name: 'repair',
					type: 'boolean',
					default: true,
					description:
						'Whether to turn the subscription on and add missing events, if it delivers to the expected URL. Its URL and other events stay unchanged.',
				},
			],
		},
	],
	uses: [
		'GET /v0/webhook_subscriptions/{subscription_id}',
		'GET /v0/webhook_subscriptions',
		'PATCH /v0/webhook_subscriptions/{subscription_id}',
	],
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
			repaired: { type: 'array', items: { type: 'string' }, with: 'Repair' },
		},
	},
	checks: { expected: { url: subscriptionUrl('Leave out the query to accept any.') } },
	changes: ({ subscriptionId: id, options }) =>
		options.repair ? [`webhook subscription ${id}`] : [],
	request: ({ subscriptionId: id, expected }) => {
		// Without events it would find nothing wrong with them.
		if ('events' in expected && expected.events === undefined)
			refuseItem('Expected > Events', 'is blank: fill it in or remove it');
		return { method: 'GET', path: path`/webhook_subscriptions/${id}` };
	},
	read: async ({ subscriptionId: id, expected, options }, call, { request }) => {
		// A service may show a change late: an event that this run has added would be removed again.
		const repaired = call.once('repaired', () => new Map<string, IDataObject>());
		const subscription = repaired.get(id) ?? (await findSubscription(call, id, request));
		const inspect = async (found: IDataObject | undefined) =>
			await inspectSubscription(call, found, expected);
		const problems = await inspect(subscription);
		const checked = report(id, subscription, problems);
		if (!options.repair) return [checked];
		const change = subscription && findRepair(subscription, problems, expected.events ?? []);
		const isUrlKnown =
			expected.url !== undefined || parseWebAddress(call.webhooks.findBase() ?? '') !== undefined;
		if (change && !isUrlKnown) call.hint('warning', unknownPlace);
		const patch: ApiRequest | undefined =
			change && isUrlKnown ? { ...request, method: 'PATCH', body: change } : undefined;
		if (call.isDryRun) {
			const outcome = patch ? 'wouldUpdate' : 'unchanged';
			return [{ ...checked, repaired: [], ...call.preview(patch), outcome }];
		}
		if (!patch) return [{ ...checked, repaired: [] }];
		const after = await sendRepair(call, patch, problems);
		repaired.set(id, after);
		const left = await inspect(after);
		return [{ ...report(id, after, left), repaired: listRepaired(problems, left) }];
	},
});

const unknownPlace =
	'Not repaired: n8n does not say where its webhooks are. Enter the URL under Expected > URL.';

function report(
	subscriptionId: string,
	subscription: IDataObject | undefined,
	problems: Trouble[],
): IDataObject {
	const { active = null, events = null } = subscription ?? {};
	return {
		subscriptionId,
		healthy: problems.length === 0,
		problems,
		active,
		events,
		deliversTo: subscription ? describeUrl(urlOf(subscription)) : null,
	};
}
