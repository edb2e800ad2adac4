import type { INodeParameters } from 'n8n-workflow';
import { run, sandbox } from './sync/creating.mts';

/* Person > Get and Account > Get: the finders of Create or Get and Create or Update, which create nothing. */

const person: INodeParameters = {
	resource: 'person',
	operation: 'get',
	matchOn: 'email',
	email: '={{ $json.value }}',
};
const account: INodeParameters = {
	resource: 'account',
	operation: 'get',
	domain: '={{ $json.value }}',
};
const nothing = { email: null, phoneNumber: null, linkedinProfileUrl: null, domain: null };
const add = (fields: object) => sandbox.store.addPersons(1, { ...nothing, ...fields })[0];

test.each([
	['email', 'ada@a.example', ' ADA@a.example '],
	['phoneNumber', '+49 30 1234567', '+49 (0)30 1234567'],
	['linkedinProfileUrl', 'https://www.linkedin.com/in/ada', 'linkedin.com/in/ADA?trk=1'],
])('a person is found by %s, exactly, in any spelling', async (matchOn, stored, value) => {
	const { personId } = add({ [matchOn]: stored });
	add({ [matchOn]: `${stored}9` });
	const parameters = { ...person, matchOn, [matchOn]: '={{ $json.value }}' };
	const { output, creations } = await run([{ value }], { parameters });
	expect(output.map(({ json }) => [json.personId, json.found])).toEqual([[personId, true]]);
	expect(creations).toBe(0);
});

test('an account is found by its domain', async () => {
	const { accountId, domain } = sandbox.store.accounts.all()[0];
	const items = [{ value: `https://www.${domain}/about` }, { value: `not-${domain}` }];
	const { output } = await run(items, { parameters: account, options: { keepEmpty: true } });
	expect(output.map(({ json }) => json)).toEqual([
		expect.objectContaining({ accountId, domain, linkedPersonsCount: 0, found: true }),
		{ found: false },
	]);
});

test.each([
	[false, []],
	[true, [{ found: false }]],
])('with Keep Empty Results %s, nobody is %j', async (keepEmpty, expected) => {
	const items = [{ value: 'nobody@a.example' }];
	const { output, requests } = await run(items, { parameters: person, options: { keepEmpty } });
	expect(output.map(({ json }) => json)).toEqual(expected);
	expect([...new Set(requests)]).toEqual(['GET /v0/persons/search', 'GET /v0/persons']);
});

test('a model reads that nobody is there, and who is', async () => {
	const { personId } = add({ email: 'ada@a.example' });
	const items = ['nobody@a.example', 'ada@a.example'].map((value) => ({ value }));
	const { output } = await run(items, { parameters: person, asTool: true });
	expect(output.map(({ json }) => json)).toEqual([
		{ found: false },
		expect.objectContaining({ personId, found: true }),
	]);
});
