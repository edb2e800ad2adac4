import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** A parameter that has no value and only shows a text. */
type Shown = { type: 'notice' | 'callout' };

type OptionValue<P> = P extends { options: Array<{ value: infer V }> } ? V : never;

/** One row of a fixed collection. n8n fills every field, so no field is absent. */
type Row<V> = V extends INodeProperties[] ? { [M in V[number] as M['name']]: ValueOf<M> } : never;

type Groups<P> = P extends { options: Array<infer G> }
	? G extends { name: infer N extends string; values: infer V }
		? P extends { typeOptions: { multipleValues: true } }
			? { [K in N]: Array<Row<V>> }
			: { [K in N]?: V extends INodeProperties[] ? ValuesOf<V> : never }
		: never
	: never;

type Members<P> = P extends { options: Array<infer M> }
	? { [K in Extract<M, INodeProperties> as K['name']]?: ValueOf<K> }
	: never;

/** The type of a parameter's value after reading, from the literal that describes the parameter. */
export type ValueOf<P> = P extends { type: 'boolean' }
	? boolean
	: P extends { type: 'number' }
		? number
		: P extends { type: 'options' }
			? OptionValue<P>
			: P extends { type: 'multiOptions' }
				? Array<OptionValue<P>>
				: P extends { type: 'collection' }
					? Members<P>
					: P extends { type: 'fixedCollection' }
						? Groups<P>
						: P extends { type: 'json' | 'assignmentCollection' }
							? IDataObject
							: P extends { type: 'string'; typeOptions: { multipleValues: true } }
								? string[]
								: string;

/** Parameters that always have a value: required ones, and types that cannot be empty. */
type AlwaysThere =
	| { required: true }
	| { type: 'boolean' | 'options' | 'multiOptions' | 'collection' | 'fixedCollection' };

/**
 * The values of an operation's parameters for one item.
 * A text, number or date without a value is undefined, and so is a parameter that the chosen mode hides.
 */
export type ValuesOf<P extends INodeProperties[]> = {
	[K in Exclude<P[number], Shown> as K['name']]: K extends { displayOptions: object }
		? ValueOf<K> | undefined
		: K extends AlwaysThere
			? ValueOf<K>
			: ValueOf<K> | undefined;
};
