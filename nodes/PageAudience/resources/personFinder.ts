import type { IDataObject } from 'n8n-workflow';
import { path } from '../../api/path';
import { quote } from '../../parameters/checks';
import type { RunContext } from '../operation/context';
import { nameSome, type RecordFinder, SeveralRecordsError } from '../operation/ensure';
import { identify, type IdentityField, identityFields, listIdentityKeys } from './contactFields';

export interface MatchValues extends Partial<Record<IdentityField, string>> {
	matchOn: IdentityField;
	options: { lookup?: 'auto' | 'search' | 'list' };
}

/** The value that an item asks for, and what is the same for each of its spellings. */
export function readTarget({ matchOn, ...values }: MatchValues): { value: string; key: string } {
	const [key = ''] = listIdentityKeys(values, [matchOn]);
	return { value: values[matchOn] ?? '', key };
}

type PeopleByKey = Map<string, IDataObject[]>;

/** Finds people by what identifies them, for all items of one call of the node. */
export class PersonFinder implements RecordFinder<MatchValues> {
	private readonly call: RunContext<MatchValues>;

	private readonly wanted: ReadonlySet<string>;

	/** Whom this call has created, whatever the search and the list show by now. */
	private readonly created = new Map<string, IDataObject>();

	/** The last reading of the list, which items share. */
	private list?: Promise<PeopleByKey>;

	constructor(call: RunContext<MatchValues>) {
		this.call = call;
		this.wanted = new Set(call.all.map((values) => readTarget(values).key));
	}

	/** A list without somebody shows that nobody is there. A search is only believed by who chooses it. */
	provesAbsence({ options }: MatchValues): boolean {
		return options.lookup !== 'search';
	}

	/** The service may have changed the value, for example completed a phone number. */
	remember(person: IDataObject, values: MatchValues): void {
		for (const key of [...listIdentityKeys(person), readTarget(values).key])
			this.created.set(key, person);
	}

	async find(values: MatchValues): Promise<IDataObject | undefined> {
		const { value, key } = readTarget(values);
		const known = this.created.get(key);
		if (known) return known;
		const { lookup = 'auto' } = values.options;
		// One item is probably someone who is known: a search then takes one request.
		const isSearched = lookup === 'search' || (lookup === 'auto' && this.wanted.size === 1);
		const people = isSearched ? await this.search(values) : [];
		if (people.length > 0 || lookup === 'search') return chooseOne(value, people);
		return chooseOne(value, (await (this.list ??= this.readList())).get(key));
	}

	async findAgain(values: MatchValues): Promise<IDataObject | undefined> {
		const { value, key } = readTarget(values);
		const people = await this.search(values);
		if (people.length > 0 || !this.provesAbsence(values)) return chooseOne(value, people);
		return chooseOne(value, (await this.readAgain()).get(key));
	}

	private async search(values: MatchValues): Promise<IDataObject[]> {
		const { matchOn } = values;
		const { value, key } = readTarget(values);
		// The address of a profile has many forms, and its handle stands in all of them.
		const query = matchOn === 'linkedinProfileUrl' ? identify(matchOn, value) : value;
		const found = await this.call.readList(
			{ method: 'GET', path: path`/persons/search`, query: { query } },
			{ largest: 100 },
		);
		return found.filter((person) => listIdentityKeys(person, [matchOn]).includes(key));
	}

	/** Only those who are looked for, so that a long list takes no memory. */
	private async readList(): Promise<PeopleByKey> {
		const fields = identityFields.filter((field) =>
			this.call.all.some(({ matchOn }) => matchOn === field),
		);
		const people: PeopleByKey = new Map();
		const take = (page: IDataObject[]) => {
			for (const person of page)
				for (const key of listIdentityKeys(person, fields)) {
					const others = people.get(key) ?? [];
					// A list that changes while it is read shows some people twice.
					const isNew = others.every(({ personId }) => personId !== person.personId);
					if (this.wanted.has(key) && isNew) people.set(key, [...others, person]);
				}
		};
		const request = { method: 'GET', path: path`/persons` } as const;
		await this.call.readList(request, { onRecords: take });
		return people;
	}

	/** The list, read from its start after this call. Whoever waits for the same reading shares the next one. */
	private async readAgain(): Promise<PeopleByKey> {
		const earlier = this.list;
		await earlier?.catch(() => undefined);
		const later = this.list === earlier ? undefined : this.list;
		return await (this.list = later ?? this.readList());
	}
}

function chooseOne(value: string, people: IDataObject[] = []): IDataObject | undefined {
	if (people.length <= 1) return people[0];
	const personIds = people.map(({ personId }) => String(personId));
	throw new SeveralRecordsError(
		`${people.length} people have ${quote(value)}: ${nameSome(personIds)}`,
		'Nothing was written. Keep one of them in the service, or match on another field.',
		{ personIds },
	);
}
