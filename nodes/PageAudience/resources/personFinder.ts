import type { IDataObject } from 'n8n-workflow';
import { at, GET } from '../../api/request';
import { identityOf } from '../../cells/reading';
import { groupBy } from '../../runtime/groupBy';
import { share } from '../../runtime/shared';
import type { RecordFinder } from '../operation/ensure';
import type { RunContext } from '../operation/operation';
import {
	type IdentityField,
	identityFields,
	identityReaders,
	listIdentityKeys,
} from './contactFields';
import { searchSpellings } from './searchSpellings';

export interface MatchValues extends Partial<Record<IdentityField, string>> {
	matchOn: IdentityField;
	options: { lookup?: 'auto' | 'search' | 'list' };
}

/** The value that an item asks for, and a key that all of its spellings share. */
export function readMatch({ matchOn, ...values }: MatchValues): { value: string; key: string } {
	const [key = ''] = listIdentityKeys(values, [matchOn]);
	return { value: values[matchOn] ?? '', key };
}

/** Finds people by what identifies them, for all items of one run of the node. */
export function openPersonFinder(run: RunContext<MatchValues>): RecordFinder<MatchValues> {
	const wanted = new Set(run.all.map((values) => readMatch(values).key));
	const list = share(async () => await indexPeople(run, wanted));
	return async (values, isAgain = false) => {
		const { lookup = 'auto' } = values.options;
		// One item is probably a person who exists: a search then takes one request.
		const isSearched = isAgain || lookup === 'search' || (lookup === 'auto' && wanted.size === 1);
		const people = isSearched ? await searchPeople(run, values) : [];
		// A search may lag behind.
		if (people.length > 0 || lookup === 'search') return people;
		const { byKey, isWhole } = await (isAgain ? list.renew() : list.get());
		const found = (byKey.get(readMatch(values).key) ?? []).map(({ person }) => person);
		// A person who moved while the list was read may be missing from it, and would be created again for good.
		return found.length > 0 || isWhole ? found : await searchPeople(run, values);
	};
}

async function searchPeople(
	run: RunContext<MatchValues>,
	values: MatchValues,
): Promise<IDataObject[]> {
	const { matchOn } = values;
	const { value, key } = readMatch(values);
	// The address of a profile has many forms, and its handle stands in all of them.
	const query =
		matchOn === 'linkedinProfileUrl' ? identityOf(identityReaders[matchOn], value) : value;
	return await searchSpellings(run, query ?? value, GET(at.person`/persons/search`), {
		id: 'personId',
		pick: (person) => (listIdentityKeys(person, [matchOn]).includes(key) ? [person] : []),
	});
}

/** Only the people who are looked for, so that a long list takes no memory. */
async function indexPeople(run: RunContext<MatchValues>, wanted: ReadonlySet<string>) {
	const fields = identityFields.filter((field) => run.all.some(({ matchOn }) => matchOn === field));
	const { found, isWhole } = await run.list(GET(at.person`/persons`), {
		id: 'personId',
		pick: (person) =>
			listIdentityKeys(person, fields)
				.filter((key) => wanted.has(key))
				.map((key) => ({ key, person })),
	});
	return { byKey: groupBy(found, ({ key }) => key), isWhole };
}
