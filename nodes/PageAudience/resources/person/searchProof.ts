import { normalize } from '../../../runtime/normalize';
import type { IDataObject } from 'n8n-workflow';
import type { IdentityField } from '../identity';
import { readPlainText } from './searchTexts';

/** Signs that a search may read as operators, replace or leave out. */
export function listSigns(text: string): string[] {
	return [...new Set(text.match(/[^a-z\d]/gi))];
}

/** A service may look for nothing in a text with less characters. */
const shortest = 3;

/** For which texts a search that returns nobody can be believed. */
export interface Proven {
	/** All signs that such a text may have. */
	signs: string[];
	/** The least length of such a text. */
	length: number;
}

/** What is proven if all questions are answered as expected. */
export interface Proof extends Proven {
	questions: Question[];
}

/** A search whose result is known, if searches find any text in the middle of a field, whatever its case. */
interface Question {
	query: string;
	/** Who must be found, or must not; without one, anybody. */
	personId?: string;
	finds: boolean;
}

/** A text of a person. */
interface Sample {
	personId: string;
	/** What to ask for: from the middle and in lower case, so that neither words nor the whole field match. */
	piece: string;
	/** Stored in another case. */
	isOtherCase: boolean;
	/** All else that is stored of the person. */
	others: string;
}

/**
 * What shows whether a search that finds nobody with a value can be believed. It must find a piece of a value, which it
 * cannot find elsewhere, and not the words of that piece in another order. It must also find what is stored in another
 * case, if nowhere in this field, then in a name, and somebody by a short text.
 * @returns undefined where nobody serves
 */
export function planProof(field: IdentityField, people: readonly IDataObject[]): Proof | undefined {
	const read = (person: IDataObject) =>
		readSample(person, field, (value) => readPlainText(field, value));
	const inOtherCase = findSample(people, read, (sample) => sample.isOtherCase && isOwn(sample));
	const witness = inOtherCase ?? findSample(people, read, isOwn);
	const named = inOtherCase ?? findSample(people, readName, isOnlyName);
	if (!witness || !named) return undefined;
	const { personId, piece } = witness;
	const questions = [
		{ query: piece, personId, finds: true },
		{ query: piece.slice(0, shortest), finds: true },
		{ query: listWords(piece).reverse().join(' '), personId, finds: false },
		...(inOtherCase ? [] : [{ query: named.piece, personId: named.personId, finds: true }]),
	];
	return { questions, signs: listSigns(piece), length: shortest };
}

function findSample(
	people: readonly IDataObject[],
	read: (person: IDataObject) => Sample | undefined,
	serves: (sample: Sample) => boolean,
): Sample | undefined {
	for (const person of people) {
		const sample = read(person);
		if (sample && serves(sample)) return sample;
	}
	return undefined;
}

function readName(person: IDataObject): Sample | undefined {
	return readSample(person, 'name', (name) => name.trim().toLowerCase());
}

/** @param write the text to ask for a part of, in lower case */
function readSample(
	person: IDataObject,
	field: IdentityField | 'name',
	write: (stored: string) => string | undefined,
): Sample | undefined {
	const { personId, [field]: stored, ...others } = person;
	if (typeof personId !== 'string' || typeof stored !== 'string') return undefined;
	const text = write(stored);
	if (!text) return undefined;
	// A service may leave out what is no letter around a query.
	const [piece] = /[a-z\d].*[a-z\d]/s.exec(text.slice(1, -1)) ?? [''];
	const isOtherCase = !stored.includes(piece) && stored.toLowerCase().includes(piece);
	return { personId, piece, isOtherCase, others: JSON.stringify(Object.values(others)) };
}

/** Whether a word of the piece stands nowhere else, however the search writes what it compares. */
function isOwn({ piece, others }: Sample): boolean {
	const words = listWords(piece);
	const elsewhere = normalize(others, 'NFD')
		.toLowerCase()
		.replace(/[^a-z\d]/g, '');
	return words.length > 1 && words.some((word) => !elsewhere.includes(word));
}

function isOnlyName({ piece, isOtherCase, others }: Sample): boolean {
	return isOtherCase && /^[ -~]+$/.test(piece) && !others.toLowerCase().includes(piece);
}

function listWords(text: string): string[] {
	return text.match(/[a-z\d]+/g) ?? [];
}
