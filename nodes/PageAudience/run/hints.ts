import type { IExecuteFunctions } from 'n8n-workflow';
import type { HintKind } from '../operation/call';

/** Messages of one kind that are shown; more are only counted. */
const shown = 3;

/** The execution hints of a run, at most a few of each kind. */
export class Hints {
	private readonly kinds = new Map<string, Set<string>>();

	add(kind: HintKind, message: string | undefined): void {
		if (message === undefined) return;
		const messages = this.kinds.get(kind) ?? new Set();
		this.kinds.set(kind, messages.add(message));
	}

	show(context: IExecuteFunctions): void {
		for (const messages of this.kinds.values()) {
			const rest = messages.size - shown;
			for (const [index, message] of [...messages].slice(0, shown).entries()) {
				const isLast = index === shown - 1 && rest > 0;
				context.addExecutionHints({
					message: isLast ? `${message} (The same for ${rest} more items.)` : message,
					location: 'outputPane',
				});
			}
		}
	}
}
