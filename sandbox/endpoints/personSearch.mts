import { searchableFields, type Guesses } from '../guesses.mts';
import type { Person } from '../records.mts';

type SearchableField = (typeof searchableFields)[number];

function listSearched(choice: Guesses['personSearch']): readonly SearchableField[] {
	if (choice === 'all') return searchableFields;
	if (choice === 'some') return ['name', 'email'];
	return choice === 'names' ? ['name', 'slug'] : [choice];
}

/** The digits of a phone number. Undefined for any other text. */
const readDigits = (text: string): string | undefined =>
	/\d/.test(text) && /^[+\d\s()./-]+$/.test(text) ? text.replace(/\D/g, '') : undefined;

const readHandle = (url: string): string | undefined =>
	/\blinkedin\.com\/in\/([^/?#]+)/i.exec(url)?.[1].toLowerCase();

/** What becomes of a text before it is compared: of the query, or of what is stored. */
function fold({ personSearchMatching, personSearchAccents }: Guesses, of: 'Query' | 'Stored') {
	const isLower =
		['ignoringCase', 'normalized'].includes(personSearchMatching) ||
		personSearchMatching === `lower${of}`;
	const isPlain = personSearchAccents === 'ignored' || personSearchAccents === `ignoredIn${of}`;
	return (text: string) => {
		const cased = isLower ? text.toLowerCase() : text;
		return isPlain ? cased.normalize('NFD').replace(/\p{M}/gu, '') : cased;
	};
}

const readWords = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);

type Matcher = (query: string) => (texts: string[]) => boolean;

/** Whether a person has the words of a query. */
const byWords =
	(which: 'some' | 'every', isWord: (word: string, wanted: string) => boolean): Matcher =>
	(query) => {
		const wanted = readWords(query);
		return (texts) => {
			const words = texts.flatMap(readWords);
			return wanted[which]((each) => words.some((word) => isWord(word, each)));
		};
	};

const isSame = (word: string, wanted: string): boolean => word === wanted;

/** Whether a person has a query, by the texts of the searched fields. */
const searchParts: Record<Guesses['personSearchParts'], Matcher> = {
	anywhere: (query) => (texts) => texts.some((text) => text.includes(query)),
	allWords: byWords('every', isSame),
	anyWord: byWords('some', isSame),
	wordStarts: byWords('every', (word, wanted) => word.startsWith(wanted)),
	fieldStart: (query) => (texts) => texts.some((text) => text.startsWith(query)),
	wholeField: (query) => (texts) => texts.includes(query),
};

/** Prepares a search for persons, because the work for the query is done once. An empty query finds everybody. */
export function findPersonsBy(query: string, guesses: Guesses): (person: Person) => boolean {
	const { personSearch, personSearchMatching, personSearchParts } = guesses;
	const wanted = query.trim();
	if (wanted === '') return () => true;
	if (wanted.length < guesses.personSearchShortest) return () => false;
	const fields = listSearched(personSearch);
	const foldStored = fold(guesses, 'Stored');
	const hasQuery = searchParts[personSearchParts](fold(guesses, 'Query')(wanted));
	const isInText = (person: Person) =>
		hasQuery(fields.flatMap((field) => (person[field] === null ? [] : foldStored(person[field]))));
	if (personSearchMatching !== 'normalized' || personSearch !== 'all') return isInText;
	const digits = readDigits(query);
	const handle = readHandle(query);
	const hasNumber = ({ phoneNumber }: Person) =>
		digits !== undefined && readDigits(phoneNumber ?? '')?.includes(digits);
	const hasHandle = ({ linkedinProfileUrl }: Person) =>
		handle !== undefined && readHandle(linkedinProfileUrl ?? '') === handle;
	return (person) => isInText(person) || hasNumber(person) || hasHandle(person);
}
