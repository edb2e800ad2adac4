import type { IDataObject } from 'n8n-workflow';
import { quote } from '../../../parameters/checks';
import { toError } from '../../../parameters/problem';
import type { Call } from '../../operation/call';
import { LookupError, nameSome, SeveralRecordsError } from '../../operation/lookupError';
import type { CreatedRecord, RecordFinder } from '../../operation/operation';
import { PersonIndex } from './personIndex';
import { PersonList } from './personList';
import { PersonSearch } from './personSearch';
import { type Lookup, type MatchValues, type PersonTarget, readTarget } from './target';

/** Finds people by what identifies them, for all items of one call of the node. */
export class PersonFinder implements RecordFinder<MatchValues> {
	private readonly call: Call<MatchValues>;

	private readonly wanted: ReadonlySet<string>;

	private readonly search: PersonSearch;

	private readonly list: PersonList;

	/** What this call has created, whatever the search and the list show by now. */
	private readonly created = new PersonIndex();

	private reading?: Promise<PersonIndex>;

	private nextReading?: Promise<PersonIndex>;

	constructor(call: Call<MatchValues>) {
		this.call = call;
		this.wanted = new Set(call.values.map((values) => readTarget(values).key));
		this.search = new PersonSearch(call);
		this.list = new PersonList(call, this.wanted);
	}

	remember(person: IDataObject, values: MatchValues): void {
		this.created.add(person, readTarget(values).key);
	}

	/**
	 * @returns undefined when it is proven that there is nobody
	 * @throws {LookupError}
	 */
	async find(values: MatchValues): Promise<IDataObject | undefined> {
		const target = readTarget(values);
		const created = this.created.find(target.key);
		const people = created.length > 0 ? created : await this.findAll(target);
		return chooseOne(target, people);
	}

	async findAgain(values: MatchValues, isLast: boolean): Promise<IDataObject | undefined> {
		const target = readTarget(values);
		const one = chooseOne(target, await this.lookAgain(target));
		if (!one && isLast && target.lookup === 'search')
			throw describeUnproven(target, 'the search may not show new people yet');
		return one;
	}

	/**
	 * Gives the records `duplicateIds`. Without a key, nothing keeps two executions at once from creating the same person,
	 * so that they can only be told.
	 */
	async review(created: ReadonlyArray<CreatedRecord<MatchValues>>): Promise<void> {
		const { hint } = this.call;
		const targets = created.map(({ values }) => readTarget(values));
		const found = await this.findNow(targets).catch(toError);
		if (found instanceof Error)
			return hint('duplicate', `Could not check for duplicates afterwards: ${found.message}`);
		for (const { values, record } of created) {
			const { key, value } = readTarget(values);
			const duplicateIds = (found.get(key) ?? [])
				.map(({ personId }) => personId)
				.filter((personId) => personId !== record.personId);
			if (duplicateIds.length === 0) continue;
			record.duplicateIds = duplicateIds;
			const ids = [record.personId, ...duplicateIds].join(', ');
			hint(
				'duplicate',
				`${quote(value)} now has several people: ${ids}. Keep one of them in the service.`,
			);
		}
	}

	/** The people by now who have the values. */
	private async findNow(targets: readonly PersonTarget[]): Promise<Map<string, IDataObject[]>> {
		const has = (wanted: Lookup) => targets.some(({ lookup }) => lookup === wanted);
		const usesList = has('list') || (has('auto') && (await this.list.takesAtMost(targets.length)));
		const index = usesList ? await this.readAnew() : undefined;
		const found = targets.map(async (target): Promise<[string, IDataObject[]]> => {
			const isListed = index && target.lookup !== 'search';
			const people = isListed ? index.find(target.key) : (await this.search.find(target)).people;
			return [target.key, people];
		});
		return new Map(await Promise.all(found));
	}

	private async lookAgain(target: PersonTarget): Promise<IDataObject[]> {
		const { people } = await this.search.find(target);
		if (people.length > 0 || target.lookup === 'search') return people;
		return (await this.readAnew()).find(target.key);
	}

	private async findAll(target: PersonTarget): Promise<IDataObject[]> {
		const { lookup, key } = target;
		if (lookup === 'search') return await this.findBySearch(target);
		if (lookup === 'list' || this.call.isRetry || this.list.isComplete)
			return (await this.list.readAll()).find(key);
		// One item is probably someone who is known: a search then takes one request.
		if (this.wanted.size > 1 && (await this.list.takesAtMost(this.wanted.size)))
			return (await this.list.readAll()).find(key);
		const { people, hasOthers } = await this.search.find(target);
		if (people.length > 0) return people;
		const isProven =
			!hasOthers &&
			!(await this.list.isSmall()) &&
			(await this.search.provesNone(target, this.list.samples));
		return isProven ? [] : (await this.list.readAll()).find(key);
	}

	private async findBySearch(target: PersonTarget): Promise<IDataObject[]> {
		const { people, hasOthers } = await this.search.find(target);
		if (people.length > 0) return people;
		if (this.call.isRetry)
			throw describeUnproven(
				target,
				'in a retry, a search alone cannot confirm that the person is new',
			);
		if (hasOthers)
			throw describeUnproven(
				target,
				'the search returned other people, and may have left this one out',
			);
		if (!(await this.search.provesNone(target, await this.search.listSamples())))
			throw describeUnproven(
				target,
				'the search may not cover this field, or may miss another spelling',
			);
		return [];
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
function describeUnproven({ value }: PersonTarget, why: string): LookupError {
	return new LookupError(
		`No person with ${quote(value)} was found or created: ${why}`,
		'To create people, set Options > Lookup to Auto or List.',
	);
}

function chooseOne({ value }: PersonTarget, people: IDataObject[]): IDataObject | undefined {
	if (people.length <= 1) return people[0];
	const personIds = people.map(({ personId }) => String(personId ?? 'without an ID'));
	throw new SeveralRecordsError(
		`${people.length} people have ${quote(value)}: ${nameSome(personIds)}`,
		'Nothing was written. Keep one of them in the service, or match on another field.',
		{ personIds },
	);
}
