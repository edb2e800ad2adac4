import { readConnection } from '../api/connection';
import type { Settings, TriggerContext } from './settings';
import type { OwnUrl } from './subscription/ownUrl';
import { makeToken } from './subscription/signature';

/** @throws {RangeError} when there is none: everybody could make its tokens */
export async function readApiKey(context: TriggerContext): Promise<string> {
	const { apiKey } = await readConnection(context);
	if (apiKey === '') throw new RangeError('The API Key in the credential is empty');
	return apiKey;
}

/** The secret to register, if deliveries must carry one. */
export async function makeOwnToken(
	context: TriggerContext,
	{ id }: OwnUrl,
	{ subscriptionId, verifyToken }: Settings,
): Promise<string | undefined> {
	return verifyToken ? makeToken(await readApiKey(context), id, subscriptionId) : undefined;
}
