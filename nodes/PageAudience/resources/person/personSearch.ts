import type { IDataObject } from 'n8n-workflow';
import type { ListPage } from '../../../api/paginate';
import { path } from '../../../api/path';
import type { Call } from '../../operation/call';
import { type IdentityField, listIdentityKeys } from '../identity';
import { chooseWitness, type SearchForm, usualForm, type Witness, writeSearch } from './searchForm';
import type { PersonTarget } from './target';

/** A search returns few people, so a small page does. */
const pageSize = 100;

/** People kept of earlier searches. */
const mostSeen = 100;

/** The search for people, and whether its "none" can be believed. */
export class PersonSearch {
	private readonly call: Call;

	/** By field: the form in which the search has been proven to find a value. */
	private readonly proven = new Map<IdentityField, Promise<SearchForm | undefined>>();

	/** By field: the form that was proven, as soon as it is known, so that one search per value does. */
	private readonly trusted = new Map<IdentityField, SearchForm>();

	/** What was searched for last, by identity, where nobody was found. */
	private readonly missed = new Map<string, string>();

	/** Of a search for nothing in particular. */
	private firstPage?: Promise<ListPage>;

	/** People that earlier searches returned. */
	private readonly seen: IDataObject[] = [];

	constructor(call: Call) {
		this.call = call;
	}

	/** The people who have the value, as far as the search finds them. */
	async find(target: PersonTarget): Promise<IDataObject[]> {
		const usual = usualForm(target.field);
		const form = this.trusted.get(target.field) ?? usual;
		const canAsk = writeSearch(form, target.value) !== undefined;
		return await this.findInForm(canAsk ? form : usual, target);
	}

	/**
	 * Whether nobody has the value.
	 * @param samples people who may show what the search looks at
	 * @returns the people found after all; undefined where the search proves nothing
	 */
	async findProven(
		target: PersonTarget,
		samples: readonly IDataObject[],
	): Promise<IDataObject[] | undefined> {
		const form = await this.prove(target.field, samples);
		const query = form && writeSearch(form, target.value);
		if (!form || query === undefined) return undefined;
		this.trusted.set(target.field, form);
		return this.missed.get(target.key) === query ? [] : await this.findInForm(form, target);
	}

	/** People to prove the search with, where the list must not be read. */
	async listSamples(): Promise<readonly IDataObject[]> {
		const { records } = await (this.firstPage ??= this.open().fetch());
		return [...records, ...this.seen];
	}

	private async findInForm(
		form: SearchForm,
		{ field, value, key }: PersonTarget,
	): Promise<IDataObject[]> {
		const query = writeSearch(form, value);
		if (query === undefined) return [];
		const people = await this.open(query).readAll();
		for (const person of people) if (this.seen.length < mostSeen) this.seen.push(person);
		const found = people.filter((person) => listIdentityKeys(person, [field]).includes(key));
		if (found.length === 0) this.missed.set(key, query);
		return found;
	}

	/** Another sample may serve where none did before. What was tested once is known for the whole call. */
	private async prove(
		field: IdentityField,
		samples: readonly IDataObject[],
	): Promise<SearchForm | undefined> {
		const known = this.proven.get(field);
		const witness = known ? undefined : chooseWitness(field, samples);
		const proof = known ?? (witness && this.test(witness));
		if (proof) this.proven.set(field, proof);
		return await proof;
	}

	private async test({ person, form, query }: Witness): Promise<SearchForm | undefined> {
		const found = await this.open(query).readAll();
		return found.some(({ personId }) => personId === person.personId) ? form : undefined;
	}

	private open(query?: string) {
		const request = { method: 'GET', path: path`/persons/search`, query: { query } } as const;
		return this.call.openList(request, { largest: pageSize });
	}
}
