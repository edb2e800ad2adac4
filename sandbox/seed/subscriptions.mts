import type { WebhookSubscription } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { momentAfter } from './calendar.mts';

type Registration = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;

/** One that is free, one in use elsewhere, one without a choice of events, and one that was used before. */
const registrations: Registration[] = [
	{ url: 'http://localhost:5678/webhook/not-in-use', events: ['form.submitted'], active: false },
	{
		url: 'https://example.com/hooks/crm',
		events: ['form.submitted', 'form.enriched'],
		active: true,
	},
	{ url: 'https://example.com/hooks/everything', events: null, active: false },
	{
		url: 'https://example.com/hooks/publishing',
		events: ['page.version.created', 'page.version.processed', 'page.version.published'],
		active: false,
	},
];

export const makeSubscriptions = ({ randomness }: Store): WebhookSubscription[] =>
	registrations.map((registration, number) => ({
		subscriptionId: randomness.id('subscription'),
		...registration,
		createdAt: momentAfter(number * 1440),
		updatedAt: momentAfter(number * 1440 + 30),
	}));
