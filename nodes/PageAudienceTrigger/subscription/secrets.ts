import { readParameter } from '../../api/url';
import { describeUrl } from '../../parameters/describeUrl';
import { readPrevious } from './chain';
import { allUrlParameters } from './registeredUrl';

/** A shorter value may be in a delivery by coincidence. The trigger registers none. */
const shortest = 16;

/**
 * What a delivery to a registered URL must not tell: the values of the trigger's parameters, and what `back` holds of the
 * owners before. A service that sends along how a subscription changed names their URLs in the clear. A URL without a
 * query and without a secret in its path stays: pages of a visitor may begin like it.
 */
export function listSecrets(url: string): string[] {
	const values = allUrlParameters.flatMap((name) => readParameter(url, name) ?? []);
	const own = values.filter(({ length }) => length >= shortest);
	const previous = readPrevious(url)?.url;
	if (previous === undefined) return own;
	const hasSecret = /[?@…]/.test(previous + describeUrl(previous));
	return [...own, ...(hasSecret ? [previous] : []), ...listSecrets(previous)];
}
