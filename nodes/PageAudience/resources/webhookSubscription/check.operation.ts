import { hasStatus } from '../../../api/errors';
import { path } from '../../../api/path';
import { describeUrl } from '../../../parameters/describeUrl';
import { eventKinds } from '../../../parameters/eventKinds';
import { subscriptionId } from '../../../parameters/locators';
import { refuseItem } from '../../../parameters/problem';
import { readSubscription } from '../../../records/webhookSubscription';
import { defineOperation } from '../../operation/operation';
import { listProblems } from './health';
import { subscriptionUrl } from './subscription';

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
	checks: { expected: { url: subscriptionUrl('Leave out the query to accept any.') } },
	request: ({ subscriptionId: id, expected }) => {
		// Without events it would find nothing wrong with them.
		if ('events' in expected && expected.events === undefined)
			refuseItem('Expected > Events', 'is blank: fill it in or remove it');
		return { method: 'GET', path: path`/webhook_subscriptions/${id}` };
	},
	read: async ({ subscriptionId: id, expected }, call, { request }) => {
		const found = await call.send(request).then(readSubscription, (error: unknown) => {
			// A wrong Base URL leads to 404, too, but then every other operation says so.
			if (hasStatus(error, 404, 410)) return undefined;
			throw error;
		});
		const problems = await listProblems(found, expected, call.webhooks);
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
