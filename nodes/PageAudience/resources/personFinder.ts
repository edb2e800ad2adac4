import type { IDataObject } from 'n8n-workflow';
import { at } from '../../api/request';
import type { RecordFinder } from '../operation/ensure';
import type { RunContext } from '../operation/operation';
import { identityOf } from '../../cells/reading';
import { searchSpellings } from './searchSpellings';
import {
	type IdentityField,
	identityFields,
	identityReaders,
	listIdentityKeys,
} from './contactFields';

export interface MatchValues extends Partial<Record<IdentityField, string>> {
	matchOn: IdentityField;
	options: { lookup?: 'auto' | 'search' | 'list' };
}

/** The value that an item asks for, and a key that all of its spellings share. */
export function readTarget({ matchOn, ...values }: MatchValues): { value: string; key: string } {
	const [key = ''] = listIdentityKeys(values, [matchOn]);
	return { value: values[matchOn] ?? '', key };
}

/** Finds people by what identifies them, for all items of one run of the node. */
export function openPersonFinder(run: RunContext<MatchValues>): RecordFinder<MatchValues> {
	const wanted = new Set(run.all.map((values) => readTarget(values).key));
	/** Who was not in the whole list when an item looked again, by their keys. */
	const missing = new Set<string>();
	/** The last reading of the list, which items share. */
	let list: Promise<ListedPeople> | undefined;
	// A reading that has begun may have passed the place of a new person. All items that ask during it share the next one.
	const readAgain = async () => {
		const earlier = list;
		await earlier?.catch(() => undefined);
		const later = list === earlier ? undefined : list;
		return await (list = later ?? indexPeople(run, wanted));
	};
	return {
		/** Only the whole list shows for certain that a person is missing. A search may lag behind. */
		provesAbsence: (values) => missing.has(readTarget(values).key),
		find: async (values) => {
			const { key } = readTarget(values);
			const { lookup = 'auto' } = values.options;
			// One item is probably a person who exists: a search then takes one request.
			const isSearched = lookup === 'search' || (lookup === 'auto' && wanted.size === 1);
			const people = isSearched ? await search(run, values) : [];
			if (people.length > 0 || lookup === 'search') return people;
			const { byKey, isWhole } = await (list ??= indexPeople(run, wanted));
			const listed = byKey.get(key) ?? [];
			// A person who moved while the list was read may be missing from it, and would be created again for good.
			return listed.length > 0 || isWhole || isSearched ? listed : await search(run, values);
		},
		findAgain: async (values) => {
			const people = await search(run, values);
			if (people.length > 0 || values.options.lookup === 'search') return people;
			const { key } = readTarget(values);
			const { byKey, isWhole } = await readAgain();
			const listed = byKey.get(key) ?? [];
			if (isWhole && listed.length === 0) missing.add(key);
			else missing.delete(key);
			return listed;
		},
	};
}

async function search(run: RunContext<MatchValues>, values: MatchValues): Promise<IDataObject[]> {
	const { matchOn } = values;
	const { value, key } = readTarget(values);
	// The address of a profile has many forms, and its handle stands in all of them.
	const query =
		matchOn === 'linkedinProfileUrl' ? identityOf(identityReaders[matchOn], value) : value;
	return await searchSpellings(
		run,
		query ?? value,
		{ method: 'GET', ...at.person`/persons/search` },
		{
			id: 'personId',
			largest: 100,
			pick: (person) => (listIdentityKeys(person, [matchOn]).includes(key) ? [person] : []),
		},
	);
}

interface ListedPeople {
	byKey: Map<string, IDataObject[]>;
	/** Whether no person can be missing. */
	isWhole: boolean;
}

/** Only the people who are looked for, so that a long list takes no memory. */
async function indexPeople(
	run: RunContext<MatchValues>,
	wanted: ReadonlySet<string>,
): Promise<ListedPeople> {
	const fields = identityFields.filter((field) => run.all.some(({ matchOn }) => matchOn === field));
	const { found, isWhole } = await run.list(
		{ method: 'GET', ...at.person`/persons` },
		{
			id: 'personId',
			pick: (person) =>
				listIdentityKeys(person, fields)
					.filter((key) => wanted.has(key))
					.map((key) => ({ key, person })),
		},
	);
	const byKey: ListedPeople['byKey'] = new Map();
	for (const { key, person } of found) byKey.set(key, [...(byKey.get(key) ?? []), person]);
	return { byKey, isWhole };
}
