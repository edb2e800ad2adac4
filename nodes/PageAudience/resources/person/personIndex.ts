import type { IDataObject } from 'n8n-workflow';
import { identityFields, type IdentityField, listIdentityKeys } from '../identity';

/** People by the values that identify them. */
export class PersonIndex {
	private readonly people = new Map<string, IDataObject[]>();

	private readonly wanted?: ReadonlySet<string>;

	/** Comparing phone numbers takes most of the time of a long list, so only what is looked for is compared. */
	private readonly fields: readonly IdentityField[];

	/** @param wanted the identities that are looked for, so that a long list takes no memory; all by default */
	constructor(wanted?: ReadonlySet<string>) {
		this.wanted = wanted;
		const names = new Set([...(wanted ?? [])].map((key) => key.split(' ', 1)[0]));
		this.fields = wanted ? identityFields.filter((field) => names.has(field)) : identityFields;
	}

	/** @param key one more identity of the person, where the record does not show it */
	add(person: IDataObject, key?: string): void {
		const keys = new Set(listIdentityKeys(person, this.fields));
		if (key !== undefined) keys.add(key);
		for (const each of keys) {
			if (this.wanted && !this.wanted.has(each)) continue;
			const known = this.people.get(each) ?? [];
			if (!known.some((one) => isSame(one, person))) known.push(person);
			this.people.set(each, known);
		}
	}

	find(key: string): IDataObject[] {
		return this.people.get(key) ?? [];
	}
}

/** A list that changes while it is read shows some people twice. Those whom a dry run would create have no ID. */
function isSame(one: IDataObject, other: IDataObject): boolean {
	return one.personId !== undefined && one.personId === other.personId;
}
