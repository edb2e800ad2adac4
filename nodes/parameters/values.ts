import type { IDataObject, INodeProperties } from 'n8n-workflow';

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

/** By the types of parameters. Those that are not here have a text. */
interface Values<P> {
	assignmentCollection: IDataObject;
	boolean: boolean;
	collection: Members<P>;
	fixedCollection: Groups<P>;
	json: IDataObject;
	multiOptions: Array<OptionValue<P>>;
	number: number;
	options: OptionValue<P>;
	string: P extends { typeOptions: { multipleValues: true } } ? string[] : string;
}

/** The type of a parameter's value after reading, from the literal that describes the parameter. */
export type ValueOf<P> = P extends { type: infer T extends keyof Values<P> }
	? Values<P>[T]
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
	[K in Exclude<P[number], { type: 'notice' }> as K['name']]: K extends { displayOptions: object }
		? ValueOf<K> | undefined
		: K extends AlwaysThere
			? ValueOf<K>
			: ValueOf<K> | undefined;
};
