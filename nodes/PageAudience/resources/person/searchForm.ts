import type { IDataObject } from 'n8n-workflow';
import { type IdentityField, toCanonical } from '../identity';

/** How a value is asked for, so that the search must find it in another spelling. */
export interface SearchForm {
	field: IdentityField;
	letters: 'lower' | 'upper';
}

export const usualForm = (field: IdentityField): SearchForm => ({ field, letters: 'lower' });

/**
 * The text to search for: the email address in another case, the digits of a phone number, the handle of a LinkedIn URL.
 * @returns undefined for letters whose case cannot be changed and changed back, such as ß
 */
export function writeSearch({ field, letters }: SearchForm, value: string): string | undefined {
	const text = distinguish(field, value);
	if (letters === 'lower') return text;
	const upper = text.toUpperCase();
	return upper.toLowerCase() === text ? upper : undefined;
}

function distinguish(field: IdentityField, value: string): string {
	const canonical = toCanonical(field, value);
	if (field === 'phoneNumber') return canonical.replace(/^\+/, '');
	return field === 'email' ? canonical : (canonical.split('/').at(-1) ?? canonical);
}

/**
 * A person who shows whether the search looks at a field: only that field has the value, and in another spelling than
 * the one to ask for.
 */
export interface Witness {
	person: IDataObject;
	form: SearchForm;
	query: string;
}

export function chooseWitness(
	field: IdentityField,
	people: readonly IDataObject[],
): Witness | undefined {
	for (const person of people) {
		const stored = person[field];
		if (typeof stored !== 'string' || typeof person.personId !== 'string') continue;
		const usual = distinguish(field, stored);
		if (usual === '' || standsElsewhere(field, usual, person)) continue;
		// A phone number has no letters: only other separators make it another spelling.
		const letters = field !== 'phoneNumber' && stored.includes(usual) ? 'upper' : 'lower';
		const form: SearchForm = { field, letters };
		const query = writeSearch(form, stored);
		if (query !== undefined && !stored.includes(query)) return { person, form, query };
	}
	return undefined;
}

function standsElsewhere(field: IdentityField, usual: string, person: IDataObject): boolean {
	return Object.entries(person).some(([name, value]) => {
		if (name === field || typeof value !== 'string') return false;
		const text = value.toLowerCase();
		return (
			text.includes(usual) || (field === 'phoneNumber' && text.replace(/\D/g, '').includes(usual))
		);
	});
}
