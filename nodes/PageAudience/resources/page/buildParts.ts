import type { ValueOf } from '../../../parameters/values';
import type { actionCardWidgets, actions, footerLinks, scripts } from './parts';

export interface PageParts {
	actions: ValueOf<typeof actions>;
	actionCardWidgets: ValueOf<typeof actionCardWidgets>;
	footerLinks: ValueOf<typeof footerLinks>;
	scripts: ValueOf<typeof scripts>;
}

/**
 * The lists as the API takes them. Every sub-field is sent as it stands, an empty one as "",
 * because `spec/api.md` marks only `actionId` as optional.
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
