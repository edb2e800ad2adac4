import type { Resource } from '../operation/operation';
import { account } from './account';
import { audience } from './audience';
import { audienceSession } from './audienceSession';
import { page } from './page';
import { pageLink } from './pageLink';
import { person } from './person';
import { personLog } from './personLog';
import { webhookSubscription } from './webhookSubscription';

/** The Resource select, in its order. */
export const resources: Resource[] = [
	{ name: 'Account', value: 'account', operations: account },
	{ name: 'Audience', value: 'audience', operations: audience },
	{ name: 'Audience Session', value: 'audienceSession', operations: audienceSession },
	{ name: 'Page', value: 'page', operations: page },
	{ name: 'Page Link', value: 'pageLink', operations: pageLink },
	{ name: 'Person', value: 'person', operations: person },
	{ name: 'Person Log', value: 'personLog', operations: personLog },
	{ name: 'Webhook Subscription', value: 'webhookSubscription', operations: webhookSubscription },
];
