import type { Resource } from '../operation/operation';
import { account } from './account';
import { audience } from './audience';
import { audienceSession } from './audienceSession';
import { page } from './page';
import { pageLink } from './pageLink';
import { person } from './person';
import { personLog } from './personLog';
import { webhookSubscription } from './webhookSubscription';

export const resources: Resource[] = [
	account,
	audience,
	audienceSession,
	page,
	pageLink,
	person,
	personLog,
	webhookSubscription,
];
