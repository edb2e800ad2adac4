import { readAccount } from '../api/client';
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

interface NotedUse extends Use {
	/** The service, and the API key. */
	account: string;
	/** It should be over, but the service was down, for example: n8n does not try again. */
	isAbandoned: boolean;
}

/** By subscription and URL. One entry for each trigger that tests, or could not restore a subscription. */
export const uses = new Map<string, NotedUse>();

/** A test run begins, or a trigger could not restore a subscription. */
export async function noteUse(
	context: TriggerContext,
	use: Use,
	{ isAbandoned }: Pick<NotedUse, 'isAbandoned'>,
): Promise<void> {
	const { identity } = await readAccount(context);
	const saved = use.saved ?? uses.get(keyOf(use))?.saved;
	uses.set(keyOf(use), { ...use, saved, account: identity, isAbandoned });
}

/** Whose the subscription is. Where the URL of a test run could not carry the previous owner, this process knows it. */
export function recallOwnership(
	{ own, subscriptionId, saved }: Pick<Use, 'own' | 'subscriptionId' | 'saved'>,
	stored: SubscriptionState,
): Ownership {
	const isCut = findOwner(own, stored.url) === 'test' && readPrevious(stored.url) === undefined;
	const noted = [...uses.values()].find(
		(use) => use.subscriptionId === subscriptionId && use.own.isTest && use.own.id === own.id,
	);
	return readOwnership(own, stored, (isCut && noted?.saved) || saved);
}

/** The trigger takes care of the subscription from now on. */
export function forgetUse(use: Pick<Use, 'subscriptionId' | 'own'>): void {
	uses.delete(keyOf(use));
}

function keyOf({ subscriptionId, own }: Pick<Use, 'subscriptionId' | 'own'>): string {
	return `${subscriptionId} ${own.href}`;
}

/** The uses that should be over, of the account that the trigger at hand has. */
export async function listAbandoned(context: TriggerContext): Promise<Use[]> {
	const left = [...uses.values()].filter(({ isAbandoned }) => isAbandoned);
	if (left.length === 0) return [];
	const { identity } = await readAccount(context);
	return left.filter((use) => use.account === identity);
}

/** Whether a use from `listAbandoned` is still to be ended: another trigger may have done it meanwhile. */
export function isStillAbandoned(use: Use): boolean {
	return uses.get(keyOf(use)) === use;
}
