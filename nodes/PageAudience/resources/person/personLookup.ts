import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../../operation/call';
import { LookupError, SeveralRecordsError } from '../../operation/settle';
import type { IdentityField } from '../identity';
import { PersonIndex } from './personIndex';
import { PersonList } from './personList';
import { PersonSearch } from './personSearch';

/** Where to look: `auto` takes the search where it can be believed, and the list otherwise. */
export type Lookup = 'auto' | 'search' | 'list';

/** The person to look for. */
export interface Target {
	field: IdentityField;
	/** As it was given. */
	value: string;
	/** The same for every spelling of the value. */
	key: string;
	lookup: Lookup;
}

/** A request that is still under way at the service, and a search that lags, get this long. */
const patienceMs = 2_000;

/** Finds people for all items of one call of the node. */
export class PersonLookup {
	private readonly call: Call;

	private readonly wanted: ReadonlySet<string>;

	private readonly search: PersonSearch;

	private readonly list: PersonList;

	/** What this call has created, whatever the search and the list show by now. */
	private readonly created = new PersonIndex();

	private reading?: Promise<PersonIndex>;

	private nextReading?: Promise<PersonIndex>;

	/** @param targets of all items */
	constructor(call: Call, targets: readonly Target[]) {
		this.call = call;
		this.wanted = new Set(targets.map(({ key }) => key));
		this.search = new PersonSearch(call);
		this.list = new PersonList(call, this.wanted);
	}

	remember(person: IDataObject, { key }: Target): void {
		this.created.add(person, key);
	}

	/**
	 * @returns undefined when it is proven that there is nobody
	 * @throws {LookupError}
	 */
	async find(target: Target): Promise<IDataObject | undefined> {
		const created = this.created.find(target.key);
		const people = created.length > 0 ? created : await this.findAll(target);
		return chooseOne(target, people);
	}

	/**
	 * Looks again after an attempt to create that may have succeeded, or that a record stands against.
	 * @throws as find does
	 */
	async findAgain(target: Target): Promise<IDataObject | undefined> {
		let people = await this.lookAgain(target);
		if (people.length === 0) {
			await this.call.wait(patienceMs);
			people = await this.lookAgain(target);
		}
		return this.settleAfterDoubt(target, people);
	}

	/**
	 * The people by now who have the values, for a look after everything was created.
	 * @param created how many people this call has created
	 * @returns nobody where nobody else was created meanwhile
	 */
	async findDuplicates(
		targets: readonly Target[],
		created: number,
	): Promise<Map<string, IDataObject[]>> {
		if (await this.list.hasGrownBy(created)) return new Map();
		const inList = targets.filter(({ lookup }) => lookup === 'list');
		const others = targets.filter(({ lookup }) => lookup !== 'list');
		const mayRead = others.some(({ lookup }) => lookup === 'auto');
		const usesList = inList.length > 0 || (mayRead && (await this.list.takesAtMost(others.length)));
		const index = usesList ? await this.readAnew() : undefined;
		const found = targets.map(async (target): Promise<[string, IDataObject[]]> => {
			const isListed = index && target.lookup !== 'search';
			return [target.key, isListed ? index.find(target.key) : await this.searchFor(target)];
		});
		return new Map(await Promise.all(found));
	}

	private async lookAgain(target: Target): Promise<IDataObject[]> {
		const found = await this.searchFor(target);
		if (found.length > 0 || target.lookup === 'search') return found;
		return (await this.readAnew()).find(target.key);
	}

	private async findAll(target: Target): Promise<IDataObject[]> {
		const { lookup, key } = target;
		if (lookup === 'search') return await this.findBySearch(target);
		if (lookup === 'list' || this.call.isRetry || this.list.isComplete)
			return (await this.list.readAll()).find(key);
		// One item is probably someone who is known: a search then takes one request.
		if (this.wanted.size > 1 && (await this.list.takesAtMost(this.wanted.size)))
			return (await this.list.readAll()).find(key);
		const found = await this.searchFor(target);
		if (found.length > 0) return found;
		const proven = (await this.list.isSmall())
			? undefined
			: await this.prove(target, this.list.samples);
		return proven ?? (await this.list.readAll()).find(key);
	}

	private async findBySearch(target: Target): Promise<IDataObject[]> {
		const found = await this.searchFor(target);
		if (found.length > 0) return found;
		if (this.call.isRetry)
			throw describeUnproven(target, 'in a retry, the search alone cannot prove that it is new');
		const proven = await this.prove(target, await this.search.listSamples());
		if (!proven) throw describeUnproven(target, 'the search may not look at this field');
		return proven;
	}

	private async searchFor({ field, value, key }: Target): Promise<IDataObject[]> {
		return await this.search.find(field, value, key);
	}

	private async prove(
		{ field, value, key }: Target,
		samples: readonly IDataObject[],
	): Promise<IDataObject[] | undefined> {
		return await this.search.findProven(field, value, key, samples);
	}

	private settleAfterDoubt(target: Target, people: IDataObject[]): IDataObject | undefined {
		const one = chooseOne(target, people);
		if (!one && target.lookup === 'search')
			throw describeUnproven(target, 'the search may lag behind');
		return one;
	}

	/**
	 * The whole list, read from its start after this call. Everyone who asks while a reading is under way shares the next
	 * one.
	 */
	private async readAnew(): Promise<PersonIndex> {
		if (!this.reading) {
			this.reading = new PersonList(this.call, this.wanted).readAll();
			this.reading.catch(() => undefined).finally(() => (this.reading = undefined));
			return await this.reading;
		}
		this.nextReading ??= this.reading
			.catch(() => undefined)
			.then(async () => {
				this.nextReading = undefined;
				return await this.readAnew();
			});
		return await this.nextReading;
	}
}

/** The search found nobody, but may not look at the field, or not at once. */
function describeUnproven({ value }: Target, why: string): LookupError {
	return new LookupError(
		`Nobody was found with "${value}", and nobody was created: ${why}`,
		'To create people, set Options > Lookup to Auto or List.',
	);
}

/** IDs named in a message; more are only counted. */
const mostIds = 5;

function chooseOne({ value }: Target, people: IDataObject[]): IDataObject | undefined {
	if (people.length <= 1) return people[0];
	const personIds = people.map(({ personId }) => String(personId));
	const more = personIds.length - mostIds;
	const named = personIds.slice(0, mostIds).join(', ') + (more > 0 ? ` and ${more} more` : '');
	throw new SeveralRecordsError(
		`${people.length} people have "${value}": ${named}`,
		'Nothing was written. Keep one of them in the service, or match on another field.',
		{ personIds },
	);
}
