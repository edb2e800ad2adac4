import { isMasked } from '../../../api/triggerUrl';
import { absoluteUrl, type Check, InvalidValueError } from '../../../parameters/checks';

/** @param advice what to do about a URL that was copied from an output */
export function subscriptionUrl(advice: string): Check {
	return (given) => {
		if (isMasked(given)) {
			throw new InvalidValueError(
				`contains *** where outputs hide a secret of the Page Audience Trigger. ${advice}`,
			);
		}
		return absoluteUrl(given);
	};
}
