import { type IDataObject, NodeConnectionTypes } from 'n8n-workflow';
import { type EventKind, eventKinds } from '../parameters/fields';

/** The value of Outputs with which events have outputs of their own. */
export const perEvent = 'perEvent';

/**
 * The kinds that have an output of their own, in its order. One more output, the last, is for all others.
 * @param parameters as saved. While Trigger On is an expression, every kind has an output: what the expression yields may
 * change, and connections stay at the place of their output.
 */
export function listOutputKinds({ outputs, events }: IDataObject): EventKind[] {
	if (outputs !== perEvent) return [];
	const kinds = eventKinds.map(({ value }) => value);
	return typeof events === 'string'
		? kinds
		: kinds.filter((kind) => [events].flat().includes(kind));
}

/** The same as an expression, for the canvas. */
export function describeOutputs(): `={{${string}}}` {
	const [events, main] = ['$rawParameter["events"]', NodeConnectionTypes.Main];
	const all = [
		...eventKinds.map(({ name, value }) => ({
			type: main,
			displayName: shorten(name),
			kind: value,
		})),
		{ type: main, displayName: 'Other', kind: '' },
	];
	const isShown = `!kind || typeof ${events} === "string" || [${events}].flat().includes(kind)`;
	return `={{ $rawParameter["outputs"] === "${perEvent}" ? ${JSON.stringify(all)}.filter(({ kind }) => ${isShown}) : ["${main}"] }}`;
}

/** `Submitted` of "Form Submitted": the canvas has room for ten letters, and the last word tells the events apart. */
function shorten(name: string): string {
	return name.split(' ').at(-1) ?? name;
}
