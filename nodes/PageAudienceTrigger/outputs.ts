import { type IDataObject, NodeConnectionTypes } from 'n8n-workflow';
import { type EventKind, eventKinds } from '../parameters/fields';

/**
 * The kinds that have an output of their own, in the order of the outputs. The last output is for all other kinds.
 * @param parameters as saved. If Trigger On is an expression, every kind has an output: the expression may yield other
 * kinds later, and a connection belongs to the position of its output.
 */
export function listOutputKinds({ options, events }: IDataObject): EventKind[] {
	if ((options as IDataObject | undefined)?.outputPerEvent !== true) return [];
	const kinds = eventKinds.map(({ value }) => value);
	return typeof events === 'string'
		? kinds
		: kinds.filter((kind) => [events].flat().includes(kind));
}

/** The same outputs as an expression, for the canvas. */
export function describeOutputs(): `={{${string}}}` {
	const [events, main] = ['$rawParameter["events"]', NodeConnectionTypes.Main];
	const all = [
		...eventKinds.map(({ name, value }) => ({
			type: main,
			// `Submitted` for "Form Submitted": the canvas has room for ten letters, and the last words of all events differ.
			displayName: name.split(' ').at(-1),
			kind: value,
		})),
		{ type: main, displayName: 'Other', kind: '' },
	];
	const isShown = `!kind || typeof ${events} === "string" || [${events}].flat().includes(kind)`;
	return `={{ $rawParameter["options"]?.outputPerEvent === true ? ${JSON.stringify(all)}.filter(({ kind }) => ${isShown}) : ["${main}"] }}`;
}
