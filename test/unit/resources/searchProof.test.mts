import { planProof } from '../../../nodes/PageAudience/resources/person/searchProof.ts';

const [personId, otherId] = ['prospect_1', 'prospect_2'];
const email = 'Jo.Annlee@x.example';
const isFound = { query: 'o.annlee@x.exampl', personId, finds: true };
const isShort = { query: 'o.a', finds: true };
const isOutOfOrder = { query: 'exampl x annlee o', personId, finds: false };
const proven = { signs: ['.', '@'], length: 3 };

test('the search is proven with a person whose value is stored in another case', () => {
	expect(planProof('email', [{ personId, email, name: 'Jo', domain: null }])).toEqual({
		questions: [isFound, isShort, isOutOfOrder],
		...proven,
	});
});

test('the search is proven with a name, where no value is stored in another case', () => {
	const people = [
		{ personId, email: email.toLowerCase(), name: 'jo' },
		{ personId: otherId, email: null, name: ' Bob Berg ' },
	];
	expect(planProof('email', people)).toEqual({
		questions: [
			isFound,
			isShort,
			isOutOfOrder,
			{ query: 'ob ber', personId: otherId, finds: true },
		],
		...proven,
	});
	expect(planProof('email', people.slice(0, 1))).toBeUndefined();
});

test('the search is asked without signs around what it looks for', () => {
	const person = { personId, email: 'J.o--Annlee@x.example.c', name: 'Jo', domain: null };
	expect(planProof('email', [person])).toEqual({
		questions: [
			{ query: 'o--annlee@x.example', personId, finds: true },
			{ query: 'o--', finds: true },
			{ query: 'example x annlee o', personId, finds: false },
		],
		signs: ['-', '@', '.'],
		length: 3,
	});
});

test.each([
	[
		'whose words stand elsewhere, in any writing',
		{ email, name: 'Jo Änn-Lee', domain: 'X.Example' },
	],
	['without an ID', { personId: null, email, name: 'Jo' }],
	['without a value', { email: null, name: 'Jo' }],
	['with a value beyond ASCII', { email: 'Jo.Ännlee@x.example', name: 'Jo' }],
	['with a single word', { email: 'Annlee', name: 'Bob Berg' }],
	['with nothing in the middle of the value', { email: 'a@b', name: 'Bob Berg' }],
	['whose name is stored in lower case', { email: email.toLowerCase(), name: 'bob berg' }],
	['with a name beyond ASCII', { email: email.toLowerCase(), name: 'BÖB BÄRG' }],
	[
		'whose name stands elsewhere, in another case',
		{ email: email.toLowerCase(), name: 'Bob Berg', slug: 'BOB BERG' },
	],
])('the search is not proven with a person %s', (_, person) => {
	expect(planProof('email', [{ personId, ...person }])).toBeUndefined();
});
