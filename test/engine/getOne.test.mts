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
	expect(output.map(({ json }) => json.personId)).toEqual([personId]);
	expect(creations).toBe(0);
});

test('an account is found by its domain', async () => {
	const { accountId, domain } = sandbox.store.accounts.all()[0];
	const items = [{ value: `https://www.${domain}/about` }, { value: `not-${domain}` }];
	const { output } = await run(items, { parameters: account, options: { keepEmpty: true } });
	expect(output.map(({ json }) => json)).toEqual([
		expect.objectContaining({ accountId, domain }),
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

test('of several people with one value, all come out, and a hint says so', async () => {
	const personIds = [1, 2].map(() => add({ email: 'ada@a.example' }).personId);
	const { output, hints } = await run([{ value: 'ada@a.example' }], { parameters: person });
	expect(output.map(({ json }) => json.personId)).toEqual(personIds);
	expect(hints).toEqual(['2 people have "ada@a.example"']);
});
