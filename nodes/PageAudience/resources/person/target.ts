import { type IdentityField, listIdentityKeys } from '../identity';

/** Where to look: `auto` takes the search where it can be believed, and the list otherwise. */
export type Lookup = 'auto' | 'search' | 'list';

/** The values that say whom an item asks for. */
export interface MatchValues extends Partial<Record<IdentityField, string>> {
	matchOn: IdentityField;
	options: { lookup?: Lookup };
}

/** The person to look for. */
export interface PersonTarget {
	field: IdentityField;
	/** As it was given. */
	value: string;
	/** The same for every spelling of the value. Empty for a value that identifies nobody. */
	key: string;
	lookup: Lookup;
}

export function readTarget({ matchOn, options, ...values }: MatchValues): PersonTarget {
	const value = values[matchOn] ?? '';
	const [key = ''] = listIdentityKeys(values, [matchOn]);
	return { field: matchOn, value, key, lookup: options.lookup ?? 'auto' };
}
