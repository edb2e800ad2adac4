import type { IExecuteFunctions } from 'n8n-workflow';
import type { HintKind } from '../operation/call';
import { nameItems } from './messages';

/** Messages of one kind that are shown; more are only counted. */
const shown = 3;

/** Their messages do not say what they are about, as the others do. */
const unnamed: HintKind[] = ['list'];

/** Takes hints. */
export type HintTaker = Pick<Hints, 'add'>;

/** The execution hints of a run, at most a few of each kind. */
export class Hints {
	/** The items of each message, by kind. */
	private readonly kinds = new Map<HintKind, Map<string, Set<number>>>();

	add(kind: HintKind, message: string | undefined, item?: number): void {
		if (message === undefined) return;
		const messages = this.kinds.get(kind) ?? new Map<string, Set<number>>();
		const items = messages.get(message) ?? new Set();
		if (item !== undefined) items.add(item);
		this.kinds.set(kind, messages.set(message, items));
	}

	/** Takes the hints of one item. */
	of(item: number): HintTaker {
		return { add: (kind, message) => this.add(kind, message, item) };
	}

	/** @param total number of items. What holds for all of them names none */
	show(context: IExecuteFunctions, total: number): void {
		for (const [kind, messages] of this.kinds) {
			const texts = [...messages].slice(0, shown).map(([message, items]) => {
				const isNamed = unnamed.includes(kind) && items.size > 0 && items.size < total;
				return isNamed ? addNames(message, [...items]) : message;
			});
			const rest = messages.size - shown;
			for (const [index, text] of texts.entries()) {
				const isLast = index === shown - 1 && rest > 0;
				context.addExecutionHints({
					message: isLast ? `${text} ${countRest(rest)}` : text,
					location: 'outputPane',
				});
			}
		}
	}
}

/** Puts the items before the last full stop. */
function addNames(message: string, items: number[]): string {
	const sorted = items.sort((a, b) => a - b);
	return `${message.replace(/\.$/, '')} [${nameItems(sorted)}].`;
}

function countRest(rest: number): string {
	return `(And ${rest} more ${rest === 1 ? 'message' : 'messages'} like this.)`;
}
