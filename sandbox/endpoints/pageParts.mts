import { absentText } from '../guesses.mts';
import type {
	ActionCardWidget,
	FooterLinkGroup,
	Image,
	PageAction,
	Script,
} from '../records/index.mts';
import type { Store } from '../store/store.mts';

type Partly<T> = { [Key in keyof T]?: T[Key] extends object ? Partly<T[Key]> : T[Key] };

export type PageActionInput = Partial<Omit<PageAction, 'actionIndex'>>;
export type ActionCardWidgetInput = Partly<Omit<ActionCardWidget, 'logos'>> & {
	logos?: { image?: Partial<Image> }[];
};
export type FooterLinkGroupInput = Partly<Omit<FooterLinkGroup, 'links'>> & {
	links?: Partial<FooterLinkGroup['links'][number]>[];
};
export type ScriptInput = Partial<Script>;

/** Numbers the actions in the order sent, and gives an ID to each that has none. */
export const completeActions = (store: Store, actions: PageActionInput[]): PageAction[] =>
	actions.map((action, actionIndex) => ({
		actionId: action.actionId ?? store.randomness.id('action'),
		actionIndex,
		purpose: action.purpose ?? absentText,
		buttonTitle: action.buttonTitle ?? absentText,
		actionType: action.actionType ?? absentText,
		url: action.url ?? absentText,
	}));

export const completeWidgets = (widgets: ActionCardWidgetInput[]): ActionCardWidget[] =>
	widgets.map(({ type, title, logos }) => ({
		type: type ?? absentText,
		title: title ?? absentText,
		logos: (logos ?? []).map(({ image }) => ({
			image: {
				altText: image?.altText ?? absentText,
				url: image?.url ?? absentText,
				fileId: image?.fileId ?? absentText,
				assetId: image?.assetId ?? absentText,
			},
		})),
	}));

export const completeFooterLinks = (
	store: Store,
	groups: FooterLinkGroupInput[],
): FooterLinkGroup[] =>
	groups.map(({ id, title, links }) => ({
		id: id ?? store.randomness.id('footer'),
		title: title ?? absentText,
		links: (links ?? []).map((link) => ({
			id: link.id ?? store.randomness.id('link'),
			text: link.text ?? absentText,
			url: link.url ?? absentText,
		})),
	}));

export const completeScripts = (scripts: ScriptInput[]): Script[] =>
	scripts.map((script) => ({
		content: script.content ?? absentText,
		enabled: script.enabled ?? false,
		injectionPoint: script.injectionPoint ?? absentText,
		name: script.name ?? absentText,
		description: script.description ?? absentText,
	}));
