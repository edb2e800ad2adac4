import type { ValueOf } from '../../../parameters/values';
import type * as lists from './parts';

type PageParts = { [List in keyof typeof lists]?: ValueOf<(typeof lists)[List]> };

/**
 * The lists in the form of the API. Every field of a row is sent, an empty one as "",
 * because the API marks only `actionId` as optional.
 */
export function buildParts(parts: PageParts) {
	return {
		actions: (parts.actions?.action ?? []).map(({ actionId, ...action }) =>
			actionId ? { actionId, ...action } : action,
		),
		actionCardWidgets: (parts.actionCardWidgets?.widget ?? []).map(({ logos, ...widget }) => ({
			...widget,
			logos: logos.logo.map((image) => ({ image })),
		})),
		footerLinks: (parts.footerLinks?.group ?? []).map(({ links, ...group }) => ({
			...group,
			links: links.link,
		})),
		scripts: parts.scripts?.script ?? [],
	};
}
