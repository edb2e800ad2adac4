import type { INodeParameters } from 'n8n-workflow';
import { run, sandbox } from './sync/creating.mts';

/* Person > Get and Account > Get: the finders of Create or Get and Create or Update, which create nothing. */

const value = '={{ $json.value }}';
const personBy = (matchOn: string): INodeParameters => ({
	...{ resource: 'person', operation: 'get', matchOn },
	[matchOn]: value,
});
const account = { resource: 'account', operation: 'get', domain: value };
const nothing = { email: null, phoneNumber: null, linkedinProfileUrl: null, domain: null };
const add = (fields: object) => sandbox.store.addPersons(1, { ...nothing, ...fields })[0];

test.each([
	['email', 'ada@a.example', ' ADA@a.example '],
	['phoneNumber', '+49 30 1234567', '+49 (0)30 1234567'],
	['linkedinProfileUrl', 'https://www.linkedin.com/in/ada', 'linkedin.com/in/ADA?trk=1'],
])('a person is found by %s, exactly, in any spelling', async (matchOn, stored, spelling) => {
	const { personId } = add({ [matchOn]: stored });
	add({ [matchOn]: `${stored}9` });
	const given = { parameters: personBy(matchOn) };
	for (const asTool of [false, true]) {
		const { json, creations } = await run([{ value: spelling }], { ...given, asTool });
		expect(json.map((each) => [each.personId, each.found])).toEqual([[personId, true]]);
		expect(creations).toBe(0);
	}
});

test('an account is found by its domain', async () => {
	const { accountId, domain } = sandbox.store.accounts.all()[0];
	const items = [{ value: `https://www.${domain}/about` }, { value: `not-${domain}` }];
	const { json } = await run(items, { parameters: account, options: { keepEmpty: true } });
	expect(json).toEqual([
		expect.objectContaining({ accountId, domain, linkedPersonsCount: 0, found: true }),
		{ found: false },
	]);
});

test.each<[how: string, more: Partial<Parameters<typeof run>[1]>, expected: object[]]>([
	['without Keep Empty Results', {}, []],
	['with Keep Empty Results', { options: { keepEmpty: true } }, [{ found: false }]],
	['for a model', { asTool: true }, [{ found: false }]],
])('who is not there is looked for twice, and told %s', async (_, more, expected) => {
	const items = [{ value: 'nobody@a.example' }];
	const { json, requests } = await run(items, { parameters: personBy('email'), ...more });
	expect(json).toEqual(expected);
	expect([...new Set(requests)]).toEqual(['GET /v0/persons/search', 'GET /v0/persons']);
});
