import { normalize } from '../../../nodes/runtime/normalize.ts';

const acute = '\u0301';

test.each([
	['a short text', `Cafe${acute}`, 'Café'],
	['a long text', `${'x'.repeat(100)}e${acute}`, `${'x'.repeat(100)}é`],
	['many marks, each on its own letter', `e${acute}`.repeat(40), 'é'.repeat(40)],
	['30 marks on one letter', `e${acute.repeat(30)}`, `é${acute.repeat(29)}`],
])('composes %s', (_, text, composed) => {
	expect(normalize(text, 'NFC')).toBe(composed);
});

test('leaves a text with more marks than 30 on one letter as it is', () => {
	const text = `e${acute} and e${acute.repeat(31)}`;
	expect(normalize(text, 'NFC')).toBe(text);
});
