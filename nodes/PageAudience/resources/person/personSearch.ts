import type { IDataObject } from 'n8n-workflow';
import type { ListPage } from '../../../api/paginate';
import { path } from '../../../api/path';
import type { Call } from '../../operation/call';
import { type IdentityField, listIdentityKeys } from '../identity';
import { listSigns, planProof, type Question } from './searchProof';
import { listTexts, readPlainText } from './searchTexts';
import type { PersonTarget } from './target';

/** A search returns few people, so a small page does. */
const pageSize = 100;

/** People kept of earlier searches. */
const mostSeen = 100;

/** The search for people, and whether its "none" can be believed. */
export class PersonSearch {
	private readonly call: Call;

	/** By field: whether the search finds every plain value. */
	private readonly proofs = new Map<IdentityField, Promise<boolean>>();

	/** By field: the signs that were in what the search was proven with. */
	private readonly signs = new Map<IdentityField, string[]>();

	/** The fields that were proven, as soon as it is known. */
	private readonly trusted = new Set<IdentityField>();

	/** Of a search for nothing in particular. */
	private firstPage?: Promise<ListPage>;

	/** People that earlier searches returned. */
	private readonly seen: IDataObject[] = [];

	constructor(call: Call) {
		this.call = call;
	}

	/** The people who have the value, as far as the search finds them. */
	async find({ field, value, key }: PersonTarget): Promise<IDataObject[]> {
		const texts = listTexts(field, value);
		const isPlain = readPlainText(field, value) !== undefined;
		for (const text of isPlain && this.trusted.has(field) ? texts.slice(0, 1) : texts) {
			const people = await this.open(text).readAll();
			for (const person of people) if (this.seen.length < mostSeen) this.seen.push(person);
			const found = people.filter((person) => listIdentityKeys(person, [field]).includes(key));
			if (found.length > 0) return found;
		}
		return [];
	}

	/**
	 * Whether nobody has a value that was not found.
	 * @param samples people who may show what the search looks at
	 */
	async provesNone(
		{ field, value }: PersonTarget,
		samples: readonly IDataObject[],
	): Promise<boolean> {
		const text = readPlainText(field, value);
		if (text === undefined) return false;
		let proof = this.proofs.get(field);
		if (!proof) {
			// Other samples may serve where these do not.
			const questions = planProof(field, samples);
			if (!questions) return false;
			const [{ query }] = questions;
			this.signs.set(field, listSigns(query));
			this.proofs.set(field, (proof = this.test(questions)));
		}
		const isProven = await proof;
		if (isProven) this.trusted.add(field);
		return isProven && listSigns(text).every((sign) => this.signs.get(field)?.includes(sign));
	}

	/** People to prove the search with, where the list must not be read. */
	async listSamples(): Promise<readonly IDataObject[]> {
		const { records } = await (this.firstPage ??= this.open().fetch());
		return [...records, ...this.seen];
	}

	private async test(questions: readonly Question[]): Promise<boolean> {
		for (const { query, personId, finds } of questions) {
			const { records, more } = await this.open(query).fetch();
			const isFound = records.some((person) => person.personId === personId);
			// Somebody can be on a later page, too.
			if (finds ? !isFound : isFound || more) return false;
		}
		return true;
	}

	private open(query?: string) {
		const request = { method: 'GET', path: path`/persons/search`, query: { query } } as const;
		return this.call.openList(request, { largest: pageSize });
	}
}
