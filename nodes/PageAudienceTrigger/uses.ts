import { readConnection } from '../api/connection';
import { RecentMap } from '../runtime/recentMap';
import type { TriggerContext } from './settings';
import { readPrevious } from './subscription/chain';
import type { OnDeactivate } from './subscription/changes';
import { findOwner, type OwnUrl } from './subscription/ownUrl';
import { type Ownership, readOwnership } from './subscription/ownership';
import type { SubscriptionState } from './subscription/state';

/*
 * What this process knows of its triggers beside what n8n stores: the test runs that are under way, and what could not
 * be released. n8n's processes share nothing of it, and a restart forgets it.
 */

/** That a trigger uses a subscription. */
export interface Use {
	own: OwnUrl;
	subscriptionId: string;
	/** The settings of the previous owner, as far as the trigger saved them. */
	saved?: SubscriptionState;
	onDeactivate: OnDeactivate;
}

type UseKey = Pick<Use, 'own' | 'subscriptionId'>;

interface NotedUse extends Use {
	/** The service, and the API key. */
	account: string;
	/** It should be over, but the service was down, for example: n8n does not try again. */
	isAbandoned: boolean;
}

/**
 * By service, subscription and URL. One entry for each trigger that tests, or could not connect or restore: some of those
 * are never published again.
 */
export const uses = new RecentMap<string, NotedUse>(1_000);

/** A trigger is about to use a subscription, or could not restore it. */
export async function noteUse(
	context: TriggerContext,
	use: Use,
	{ isAbandoned }: Pick<NotedUse, 'isAbandoned'>,
): Promise<void> {
	const { identity } = await readConnection(context);
	const saved = use.saved ?? (await findUse(context, use))?.saved;
	uses.set(await identify(context, use), { ...use, saved, account: identity, isAbandoned });
}

/** What this process noted of a use. */
export async function findUse(context: TriggerContext, use: UseKey): Promise<NotedUse | undefined> {
	return uses.get(await identify(context, use));
}

/**
 * Whose the subscription is. This process may know the previous owner where the static data does not, or where the URL of
 * a test run could not carry it.
 */
export async function recallOwnership(
	context: TriggerContext,
	use: UseKey & Pick<Use, 'saved'>,
	stored: SubscriptionState,
): Promise<Ownership> {
	const { own, subscriptionId, saved } = use;
	const isCut = findOwner(own, stored.url) === 'test' && readPrevious(stored.url) === undefined;
	const test = [...uses.values()].find(
		(each) => each.subscriptionId === subscriptionId && each.own.isTest && each.own.id === own.id,
	);
	const noted = isCut ? test?.saved : undefined;
	return readOwnership(own, stored, noted ?? saved ?? (await findUse(context, use))?.saved);
}

/** The trigger takes care of the subscription from now on. */
export async function forgetUse(context: TriggerContext, use: UseKey): Promise<void> {
	uses.delete(await identify(context, use));
}

async function identify(context: TriggerContext, use: UseKey): Promise<string> {
	const { baseUrl } = await readConnection(context);
	return `${baseUrl} ${use.subscriptionId} ${use.own.href}`;
}

/** The uses that should be over. */
export function listAbandoned(): NotedUse[] {
	return [...uses.values()].filter(({ isAbandoned }) => isAbandoned);
}

/** Whether it is still to be ended, and of the account that the trigger at hand has. */
export async function isMendable(context: TriggerContext, use: NotedUse): Promise<boolean> {
	const { identity } = await readConnection(context);
	return use.account === identity && (await findUse(context, use)) === use;
}
