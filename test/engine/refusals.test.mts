import type { INodeParameters } from 'n8n-workflow';
import type { Refusal } from '../../nodes/parameters/checks.ts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { detectBy, requestLimits } from '../groups.mts';

/*
 * What a check refuses, a person can send all the same. For each cause of a refusal: values that are refused, and the way out,
 * which really sends them, or the harm for which there is none.
 */

const setup = setUpActionNode();

/** What no option may send. */
type Harm =
	| "the API's document excludes it"
	| 'a write that may come twice'
	| 'it runs something in the browser of a visitor';

type WayOut = 'Send As Is' | 'left out' | { instead: string } | { never: Harm };

/** The value is `$json.value`. What it says is in the refusal, or in the hint that tells what was left out. */
type Row = [
	parameters: INodeParameters,
	value: string,
	sentBesideIt: string,
	says: RegExp,
	wayOut: WayOut,
];

const value = '={{ $json.value }}';
const account = { resource: 'account', operation: 'create', domain: '={{ $json.id }}.example' };
const accountName = { ...account, additionalFields: { name: value } };
const upsert = { resource: 'account', operation: 'upsert', domain: value, name: 'Acme' };
const person = { resource: 'person', operation: 'create', name: 'Ada' };
const byPhone = { ...person, operation: 'createOrGet', matchOn: 'phoneNumber', phoneNumber: value };
const audience = {
	...{ resource: 'audience', operation: 'update', pageId: 'page_1' },
	...{ audienceId: '={{ $json.id }}', updateFields: { actionUrlOverride: value } },
};
const pageLink = { resource: 'pageLink', operation: 'update', pageLinkId: '={{ $json.id }}' };
const page = { resource: 'page', operation: 'update', pageId: '={{ $json.id }}' };
const log = {
	...{ resource: 'personLog', operation: 'create', source: 'crm' },
	options: detectBy('none'),
	person: { email: '={{ $json.id }}@acme.example' },
};
const custom = { ...log, options: detectBy('custom', value) };

const createWith = (additionalFields: INodeParameters) => ({ ...person, additionalFields });
const pageName = { ...page, updateFields: { name: value } };
const linkPath = { ...pageLink, updateFields: { path: value } };
const audienceId = { ...audience, audienceId: value, updateFields: { customName: 'A' } };

const none = /says that there is none/;
const everyone = /everyone can have a mailbox/;
const missing = /stands for a value that is missing/;
const asIs = 'Send As Is';
const excluded: WayOut = { never: "the API's document excludes it" };
const runs: WayOut = { never: 'it runs something in the browser of a visitor' };

const table: Record<Refusal, Row[]> = {
	absent: [
		[accountName, 'n/a', 'Acme', none, asIs],
		[custom, 'unknown', '1', none, asIs],
		[pageName, 'undefined', 'Spring', missing, asIs],
		[linkPath, '{{path}}', 'offer', missing, asIs],
		[createWith({ email: value }), 'keine Angabe', 'ada@acme.example', none, 'left out'],
	],
	invalid: [
		[{ ...log, source: value }, 'My CRM', 'crm', /for example "my-crm"/, { instead: 'my-crm' }],
		[custom, '4.93012E+11', '1', /a spreadsheet has rounded/, asIs],
		[audienceId, 'undefined', 'audience_1', /which says that there is none/, excluded],
	],
	lostLetter: [[accountName, 'M\ufffdller', 'Müller', /has lost a letter/, asIs]],
	noScheme: [
		[audience, 'www.acme.example', '/a', /Write "https:/, { instead: 'https://www.acme.example' }],
		[audience, 'acme.example/a', 'sms:123', /Write "https:/, asIs],
	],
	ofEveryone: [
		[upsert, 'ada@gmail.com', 'ada@acme.example', everyone, asIs],
		[{ ...account, domain: value }, 'gmail.com', 'acme.example', everyone, asIs],
		[createWith({ domain: value }), 'gmail.com', 'acme.example', /have a mailbox/, 'left out'],
		[createWith({ domain: value }), 'localhost', 'x.com', /must be a domain/, 'left out'],
	],
	script: [[audience, 'javascript:alert(1)', 'tel:112', /must not begin with/, runs]],
	several: [[byPhone, '030 1234567; 0170 7654321', '030 45678', /has several/, asIs]],
	tooLong: [
		[accountName, 'x'.repeat(256), 'X', /255 characters/, excluded],
		[byPhone, '1'.repeat(5_001), '030 12345', /at most 5000/, asIs],
	],
	unreadable: [
		[byPhone, ' 1-800-FLOWERS ', '030 23456', /can be dialed/, asIs],
		[byPhone, '8999', '030 34567', /can be dialed/, asIs],
	],
};

/** IDs and domains that no other run has, because the process remembers what it has created. */
let count = 0;

async function run(parameters: INodeParameters, values: string[], sendAsIs = false) {
	setup.sandbox.requests.length = 0;
	count++;
	const items = values.map((each, item) => ({ value: each, id: `id-${count}-${item}` }));
	const limits = requestLimits({ concurrency: 1, maxRetries: 0 });
	const own = parameters.options as INodeParameters | undefined;
	const given = { ...parameters, options: { ...limits, ...own, ...(sendAsIs && { sendAsIs }) } };
	const { output, hints } = await setup.run(given, items, { onError: 'continueRegularOutput' });
	const errors = output.map(({ json }) => json.error as string | undefined);
	const writes = setup.sandbox.requests.filter(({ method }) => method !== 'GET');
	return { errors, hints, bodies: writes.map(({ body, path }) => JSON.stringify([body, path])) };
}

const offer = 'Options > Send As Is';
const rows = Object.entries(table).flatMap(([refusal, own]) =>
	own.map(([parameters, bad, ...rest]) => [refusal, bad, parameters, ...rest] as const),
);

test.each(rows)('%s: %j is refused, and has its way out', async (_, bad, ...row) => {
	const [parameters, good, says, wayOut] = row;
	const asUsual = await run(parameters, [bad, good]);
	if (wayOut === 'left out') {
		expect(asUsual.hints.join(' ')).toMatch(says);
		expect(asUsual.bodies).toHaveLength(2);
		expect(asUsual.bodies[0]).not.toContain(bad);
		return;
	}
	expect(asUsual.errors[0]).toMatch(says);
	expect(asUsual.bodies).toHaveLength(1);
	if (typeof wayOut === 'object' && 'instead' in wayOut) {
		const { bodies } = await run(parameters, [wayOut.instead, good]);
		expect(bodies[0]).toContain(JSON.stringify(wayOut.instead));
		return;
	}
	const sentAsIs = await run(parameters, [bad, good], true);
	expect(asUsual.errors[0]?.includes(offer)).toBe(wayOut === 'Send As Is');
	if (wayOut === 'Send As Is') expect(sentAsIs.bodies[0]).toContain(JSON.stringify(bad.trim()));
	else expect(sentAsIs.errors[0]).toMatch(says);
});

test('a text that was sent as it is, is one person for each spelling in capitals', async () => {
	const { bodies, errors } = await run(byPhone, ['1-800-ADA', ' 1-800-ada'], true);
	expect([bodies.length, errors]).toEqual([1, [undefined, undefined]]);
});

test('Send As Is holds for the whole run, so an item that means something else is refused', async () => {
	const parameters = { ...byPhone, options: { sendAsIs: '={{ $json.value === "030 123456" }}' } };
	const { errors } = await run(parameters, ['030 123456', '030 123457']);
	expect(errors).toEqual([
		undefined,
		'Options > Send As Is must be the same for all items [item 1]',
	]);
});

test('two entries with one key are refused, as they are, too', async () => {
	for (const asIs of [false, true]) {
		const { errors, bodies } = await run(custom, ['1', '1'], asIs);
		expect(bodies).toEqual([]);
		expect(errors[1]).toMatch(/key/i);
	}
});

test('a field of a template within a text goes to the page, and is told once', async () => {
	const updateFields = { customName: 'Hi {{first_name}}', actionUrlOverride: value };
	const values = ['sms:+491701234567', '/a b'];
	const { hints, bodies } = await run({ ...audience, updateFields }, values);
	expect(bodies).toHaveLength(2);
	expect(bodies[1]).toContain('/a%20b');
	expect(hints.filter((hint) => hint.includes('{{first_name}}'))).toHaveLength(1);
	const link = await run(linkPath, ['/{{slug}}', 'offer']);
	expect(link.hints.join(' ')).toContain('{{slug}}');
});
