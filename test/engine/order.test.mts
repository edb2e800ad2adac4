import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describeSent, findCase, operationNames } from './cases/index.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { onlyNewOrChanged, requestLimits } from '../groups.mts';

const setup = setUpActionNode();
beforeEach(() => (setup.sandbox.peakInFlight = 0));

const log = {
	...{ resource: 'personLog', operation: 'create', source: 'crm' },
	...{ payloadMode: 'json', payload: '={{ { i: $json.i } }}' },
};

/** Each begins after the one before it has ended. */
function expectTurns(sent: Array<{ startedAtMs: number; endedAtMs?: number }>): void {
	for (const [n, { startedAtMs }] of sent.slice(1).entries())
		expect(startedAtMs).toBeGreaterThanOrEqual(sent[n].endedAtMs ?? Infinity);
}

const account = { resource: 'account', operation: 'create', domain: '={{ $json.domain }}' };
const person = {
	personId: '={{ $json.personId }}',
	email: '={{ $json.email }}',
	phoneNumber: '={{ $json.phone }}',
	linkedinProfileUrl: '={{ $json.linkedin }}',
};
const version = onlyNewOrChanged('={{ $json.id }}', { recordVersion: '={{ $json.i }}' });

/** The ways in which items name one record, and how they name another one. */
type Named = () => [ways: IDataObject[], other: IDataObject];

test.each<[what: string, parameters: INodeParameters, named: Named]>([
	[
		'new accounts of the same domain',
		{ ...account, additionalFields: { name: '={{ $json.i }}' } },
		() => [[{ domain: 'New.Example' }, { domain: 'new.example' }], { domain: 'other.example' }],
	],
	[
		'logs of the same person, however the person is identified',
		{ ...log, person },
		() => {
			const known = setup.sandbox.store.persons.all().find(({ email }) => email !== null);
			const { email = '', personId = '' } = known ?? {};
			const ways = [
				{ email },
				{ email: email?.toUpperCase(), personId },
				{ personId, phone: '+1 650 253 0000' },
				{ phone: '+1-650-253-0000', linkedin: 'https://linkedin.com/in/x' },
				{ linkedin: 'http://www.linkedin.com/in/X/' },
			];
			return [ways, { email: 'somebody@else.example' }];
		},
	],
	[
		'versions of the same record of a sync',
		{ ...log, person: {}, options: version },
		() => [[{ id: '1' }, { id: 1 }], { id: '2' }],
	],
])('%s are sent one after another', async (_, parameters, named) => {
	setup.sandbox.latencyMs = 30;
	const [ways, other] = named();
	// Each record has its own hundred of numbers, and the records take turns.
	const items = [ways, [other]].flatMap((own, record) =>
		Array.from({ length: 6 }, (_each, n) => ({
			...own[Math.floor((n * own.length) / 6)],
			i: 100 * record + n,
		})),
	);
	items.sort((one, other) => (one.i % 100) - (other.i % 100));
	const { error } = await setup.run(parameters, items);
	expect(error).toBeUndefined();
	const writes = setup.sandbox.requests.filter(({ method }) => method !== 'GET');
	const sent = writes.map(({ body, startedAtMs, endedAtMs = Infinity }) => {
		const { name, payload } = body as { name?: string; payload?: IDataObject };
		return { i: Number(name ?? payload?.i), startedAtMs, endedAtMs };
	});
	expect(sent).toHaveLength(items.length);
	for (const own of Map.groupBy(sent, ({ i }) => Math.floor(i / 100)).values()) {
		const numbers = own.map(({ i }) => i);
		expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
		expectTurns(own);
	}
	expect(setup.sandbox.peakInFlight).toBeGreaterThan(1);
});

const changing = operationNames.filter((name) => !/\.(?:get\w*|search|create)$/.test(name));

test.each(changing)('%s of the same record is sent once at a time', async (operation) => {
	setup.sandbox.latencyMs = 30;
	const { parameters, items, sends } = findCase(setup.sandbox, operation);
	const [same, other] = items;
	const options = { ...(parameters.options as object), ...requestLimits({ concurrency: 10 }) };
	const given = { ...parameters, options };
	const { error } = await setup.run(given, [same, other, same, same]);
	expect(error).toBeUndefined();
	const { requests, peakInFlight } = setup.sandbox;
	expect(requests.map(describeSent)).toEqual(expect.arrayContaining(sends));
	const own = requests.filter((each) => describeSent(each).request === sends[0].request);
	expect(own).toHaveLength(3);
	expectTurns(own);
	expect(peakInFlight).toBe(2);
});
