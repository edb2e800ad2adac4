import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { openStage } from './stage.mts';

const stage = openStage();

async function hintsOf(parameters: INodeParameters, items: IDataObject[]): Promise<string[]> {
	const { error, hints } = await stage.run(parameters, items);
	expect(error).toBeUndefined();
	return hints;
}

const persons = { resource: 'person', operation: 'getAll' };
const all = () => stage.sandbox.store.persons.size;

test('says how many records a list has when the limit cut it', async () => {
	const hints = await hintsOf({ ...persons, limit: 2 }, [{}, {}]);
	expect(hints).toContain(`The list has ${all()} records in total.`);
});

test('says nothing about a list that was returned whole', async () => {
	expect(
		await hintsOf({ resource: 'person', operation: 'search', query: '={{ $json.q }}' }, [
			{ q: 'nobody is called this' },
			{ q: 'nor this' },
		]),
	).toEqual([]);
});

test('says when a list ended before the number that the service counts', async () => {
	stage.sandbox.faults.add({
		kind: 'answer',
		body: { items: [{ personId: 'a' }], hasMore: false, nextCursor: null, totalCount: 2 },
		// Twice for each item: the sandbox refuses the largest limit first.
		times: 4,
	});
	const search = { resource: 'person', operation: 'search', query: '={{ $json.q }}' };
	expect(await hintsOf({ ...search, returnAll: true }, [{ q: 'a' }, { q: 'b' }])).toEqual([
		'The list ended after 1 record, but the service counts 2. It may have changed during the run.',
	]);
});

test('says that the same was read once per item', async () => {
	const repeated =
		"The same was read 2 times, once per item. To read it once, turn on Execute Once in the node's settings.";
	expect(await hintsOf({ ...persons, limit: 1 }, [{}, {}])).toContain(repeated);
	expect(await hintsOf({ ...persons, limit: 1 }, [{}])).not.toContain(repeated);
	const other = { ...persons, limit: '={{ $json.limit }}' };
	expect(await hintsOf(other, [{ limit: 1 }, { limit: 2 }])).toContain(repeated);
	const search = { resource: 'person', operation: 'search', query: '={{ $json.q }}' };
	expect(await hintsOf(search, [{ q: 'a' }, { q: 'b' }])).not.toContain(repeated);
});

describe('a value that is sent although it looks wrong', () => {
	const sent = (field: string) =>
		stage.sandbox.requests.map(({ body }) => (body as IDataObject)[field]);

	test('is told with its items for a log', async () => {
		stage.sandbox.requests.length = 0;
		const log = { resource: 'personLog', operation: 'create', source: 'crm' };
		const person = { email: '={{ $json.email }}' };
		const emails = ['ann', 'bob@b.example', 'cem', 'dora', 'eve', 'fred'];
		const hints = await hintsOf(
			{ ...log, person, options: { concurrency: 1 } },
			emails.map((email) => ({ email })),
		);
		expect(hints).toEqual([
			'Email has no "@" [items 0, 2, 3 and 2 more]. Check it: it was sent unchanged.',
		]);
		expect(sent('email')).toEqual(emails);
	});

	test('is told for a person and an account', async () => {
		const person = { resource: 'person', operation: 'create', name: 'Ann' };
		const additionalFields = { email: '={{ $json.email }}', domain: '={{ $json.domain }}' };
		expect(
			await hintsOf({ ...person, additionalFields }, [
				{ email: 'ann', domain: 'https://example.com/' },
				{ email: 'bob', domain: 'example.com' },
			]),
		).toEqual([
			'Email has no "@" [all 2 items]. Check it: it was sent unchanged.',
			'Domain is not a domain such as "example.com" [item 0]. Check it: it was sent unchanged.',
		]);
		stage.sandbox.requests.length = 0;
		const account = { resource: 'account', operation: 'create', domain: '={{ $json.domain }}' };
		const domains = ['Example', 'sub.example.co'];
		expect(
			await hintsOf(
				{ ...account, options: { concurrency: 1 } },
				domains.map((domain) => ({ domain })),
			),
		).toEqual([
			'Domain is not a domain such as "example.com" [item 0]. Check it: it was sent unchanged.',
		]);
		expect(sent('domain')).toEqual(domains);
	});
});
