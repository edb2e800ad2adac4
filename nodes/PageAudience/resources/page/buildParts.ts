import type { ValueOf } from '../../../parameters/values';
import type { actionCardWidgets, actions, footerLinks, scripts } from './parts';

export interface PageParts {
	actions: ValueOf<typeof actions>;
	actionCardWidgets: ValueOf<typeof actionCardWidgets>;
	footerLinks: ValueOf<typeof footerLinks>;
	scripts: ValueOf<typeof scripts>;
}

/**
 * The lists in the form of the API. Every field of a row is sent, an empty one as "",
 * because the API marks only `actionId` as optional.
 */
export function buildParts(parts: Partial<PageParts>) {
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
