import type { IDataObject } from 'n8n-workflow';
import type { ListPage } from '../../../api/paginate';
import { path } from '../../../api/path';
import type { Call } from '../../operation/call';
import { type IdentityField, listIdentityKeys } from '../identity';
import { listSigns, planProof, type Proof, type Proven } from './searchProof';
import { listTexts, readPlainText } from './searchTexts';
import type { PersonTarget } from './target';

/** A search returns few people, so a small page does. */
const pageSize = 100;

/** People kept of earlier searches. */
const mostSeen = 100;

/** What the search showed. */
export interface Sighting {
	/** Who have the value. */
	people: IDataObject[];
	/** Whether there were others. The search may return only so many, and leave out who has the value. */
	hasOthers: boolean;
}

/** The search for people, and whether its "none" can be believed. */
export class PersonSearch {
	private readonly call: Call;

	/** By field: for which plain values the search finds everyone, if for any. */
	private readonly proofs = new Map<IdentityField, Promise<Proven | undefined>>();

	/** Of a search for nothing in particular. */
	private firstPage?: Promise<ListPage>;

	/** People that earlier searches returned. */
	private readonly seen: IDataObject[] = [];

	constructor(call: Call) {
		this.call = call;
	}

	/** The people who have the value, as far as the search finds them. */
	async find({ field, value, key }: PersonTarget): Promise<Sighting> {
		const texts = listTexts(field, value);
		// Every spelling of a plain value contains the first text.
		const isEnough = readPlainText(field, value) !== undefined && (await this.isProven(field));
		let hasOthers = false;
		for (const text of isEnough ? texts.slice(0, 1) : texts) {
			const found = await this.open(text).readAll();
			for (const person of found) if (this.seen.length < mostSeen) this.seen.push(person);
			const people = found.filter((person) => listIdentityKeys(person, [field]).includes(key));
			if (people.length > 0) return { people, hasOthers };
			hasOthers ||= found.length > 0;
		}
		return { people: [], hasOthers };
	}

	/**
	 * Whether nobody has a value for which the search returned nobody.
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
			const plan = planProof(field, samples);
			if (!plan) return false;
			this.proofs.set(field, (proof = this.test(plan)));
		}
		const { signs, length } = (await proof) ?? { signs: [], length: Infinity };
		return text.length >= length && listSigns(text).every((sign) => signs.includes(sign));
	}

	/** People to prove the search with, where the list must not be read. */
	async listSamples(): Promise<readonly IDataObject[]> {
		const { records } = await (this.firstPage ??= this.open().fetch());
		return [...records, ...this.seen];
	}

	/** A proof that fails is told to those who need it. */
	private async isProven(field: IdentityField): Promise<boolean> {
		const proven = await this.proofs.get(field)?.catch(() => undefined);
		return proven !== undefined;
	}

	private async test({ questions, ...proven }: Proof): Promise<Proven | undefined> {
		for (const { query, personId, finds } of questions) {
			const { records, more } = await this.open(query).fetch();
			const isFound = records.some(
				(person) => personId === undefined || person.personId === personId,
			);
			// Somebody can be on a later page, too.
			if (finds ? !isFound : isFound || more) return undefined;
		}
		return proven;
	}

	private open(query?: string) {
		const request = { method: 'GET', path: path`/persons/search`, query: { query } } as const;
		return this.call.openList(request, { largest: pageSize });
	}
}
