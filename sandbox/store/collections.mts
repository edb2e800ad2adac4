import type * as Records from '../records.mts';
import { Collection } from './collection.mts';
import { Randomness } from './randomness.mts';

/** All records of the sandbox. */
export class Collections {
	/** `.of(domain)` */
	readonly persons = new Collection<Records.Person>('personId', 'domain');
	/** `.of(idempotencyKey)` */
	readonly personLogs = new Collection<Records.PersonLog>('personLogId', 'idempotencyKey');
	/** `.of(domain)` */
	readonly accounts = new Collection<Records.Account>('accountId', 'domain');
	/** `.of(accountId)` */
	readonly activities = new Collection<Records.AccountActivity>('activityId', 'accountId');
	readonly pages = new Collection<Records.Page>('pageId');
	/** `.of(pageId)` */
	readonly audiences = new Collection<Records.Audience>('audienceId', 'pageId');
	/** `.of(audienceId)` */
	readonly versions = new Collection<Records.AudienceVersion>('versionId', 'audienceId');
	/** `.of(pageId)` */
	readonly sessions = new Collection<Records.AudienceSession>('audienceSessionId', 'pageId');
	/** `.of(audienceSessionId)` */
	readonly interactions = new Collection<Records.RecordedInteraction>(
		undefined,
		'audienceSessionId',
	);
	readonly pageLinks = new Collection<Records.PageLink>('pageLinkId');
	readonly subscriptions = new Collection<Records.WebhookSubscription>('subscriptionId');

	/** Also makes new IDs, so that every run gets the same ones. */
	randomness = new Randomness(0);
}
