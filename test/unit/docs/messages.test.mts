import { readPage } from './pages.mts';
import { isSeveralWords, listShownTexts } from './shownTexts.mts';

const [, section = ''] = readPage('troubleshooting.md').split('\n## Messages\n');
const [rows = ''] = section.split('\n## ');
const page = rows.replace(/`|(?<!\*)\*\*(?!\*)/g, '');

/** The messages of the page: each code span of a first column. */
const messages = [...rows.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) =>
	[...cell.matchAll(/`([^`]+)`/g)].map(([, message]) => message),
);

const shown = listShownTexts();

/** Texts that no person is shown, or only as a part of a message's values. */
const internal = [
	'A content is cut off',
	'May replace the whole list. Include the entries to keep, with all their fields.',
	'No label',
	'Not a generation',
	'The input item',
	'The time of this poll is over',
	'This n8n',
	'audience session',
	'n8n must evaluate the expression',
	'page link',
	'person log entry',
	'processed entries of … …',
	'sessions of …, … hours, … seconds',
	'the lists',
	'webhook subscription',
];

/** The first sentence says what happened. Sentences behind it say what to do, and the page says that too. */
function findWords(text: string): string | undefined {
	return text
		.split(/\.(?:\s|$)/)
		.map(findLongest)
		.find(isSeveralWords);
}

/** The longest part between values. */
function findLongest(text: string): string {
	const parts = text.split('…').map((part) => part.trim());
	return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

const described = shown.filter(
	({ text }) => findWords(text) !== undefined && !internal.includes(text),
);

test('finds the messages', () => {
	expect(described.length).toBeGreaterThan(150);
	expect(messages.length).toBeGreaterThan(100);
});

test.each(described)('$place: "$text" is in the index', ({ text }) => {
	expect(page).toContain(findWords(text));
});

test.each(messages)('the nodes show "%s"', (message) => {
	const words = findLongest(message);
	expect(shown.some(({ text }) => text.includes(words))).toBe(true);
});

test.each(internal)('the code still has "%s"', (text) => {
	expect(shown.some((each) => each.text === text)).toBe(true);
});
