import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Refusal } from '../../nodes/parameters/checks.ts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { detectBy, requestLimits } from '../groups.mts';

/*
 * What a check refuses, a person can send all the same. For each cause of a refusal: values that are refused, and the way out,
 * which really sends them, or the harm for which there is none.
 */

const setup = setUpActionNode({ validateResponses: false });

/** What no option may send. */
type Harm =
	| "the API's document excludes it"
	| 'a write that may come twice'
	| 'it runs something in the browser of a visitor';

interface Row {
	/** The value is `$json.value`. */
	parameters: INodeParameters;
	value: string;
	/** A value that is sent beside it. */
	good: string;
	/** Of the refusal, or of the hint that tells what was left out. */
	says: RegExp;
	wayOut: 'Send As Is' | 'left out' | { instead: string } | { never: Harm };
}

const value = '={{ $json.value }}';
const account = { resource: 'account', operation: 'create', domain: '={{ $json.id }}.example' };
const accountName = { ...account, additionalFields: { name: value } };
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
const nameless = { ...person, additionalFields: { domain: value } };

const table: Record<Refusal, Row[]> = {
	absent: [
		{
			parameters: accountName,
			value: 'n/a',
			good: 'Acme',
			says: /says that there is none/,
			wayOut: 'Send As Is',
		},
		{
			parameters: custom,
			value: 'unknown',
			good: '1',
			says: /says that there is none/,
			wayOut: 'Send As Is',
		},
		{
			parameters: { ...page, updateFields: { name: value } },
			...{
				value: 'undefined',
				good: 'Spring',
				says: /stands for a value that is missing/,
				wayOut: 'Send As Is',
			},
		},
		{
			parameters: { ...pageLink, updateFields: { path: value } },
			...{
				value: '{{path}}',
				good: 'offer',
				says: /stands for a value that is missing/,
				wayOut: 'Send As Is',
			},
		},
		{
			parameters: { ...person, additionalFields: { email: value } },
			...{
				value: 'keine Angabe',
				good: 'ada@acme.example',
				says: /says that there is none/,
				wayOut: 'left out',
			},
		},
	],
	invalid: [
		{
			parameters: { ...log, source: value },
			value: 'My CRM',
			good: 'crm',
			says: /for example "my-crm"/,
			wayOut: { instead: 'my-crm' },
		},
		{
			parameters: custom,
			...{
				value: '4.93012E+11',
				good: '1',
				says: /a spreadsheet has rounded/,
				wayOut: 'Send As Is',
			},
		},
		{
			parameters: { ...audience, audienceId: value, updateFields: { customName: 'A' } },
			...{ value: 'undefined', good: 'audience_1', says: /which says that there is none/ },
			wayOut: { never: "the API's document excludes it" },
		},
	],
	lostLetter: [
		{
			parameters: accountName,
			value: 'M\ufffdller',
			good: 'Müller',
			says: /has lost a letter/,
			wayOut: 'Send As Is',
		},
	],
	noScheme: [
		{
			parameters: audience,
			value: 'www.acme.example',
			good: '/a',
			says: /Write "https:/,
			wayOut: { instead: 'https://www.acme.example' },
		},
		{
			parameters: audience,
			value: 'acme.example/a',
			good: 'sms:123',
			says: /Write "https:/,
			wayOut: 'Send As Is',
		},
	],
	ofEveryone: [
		{
			parameters: { ...account, domain: value },
			...{
				value: 'gmail.com',
				good: 'acme.example',
				says: /everyone can have a mailbox/,
				wayOut: 'Send As Is',
			},
		},
		{
			parameters: nameless,
			value: 'gmail.com',
			good: 'acme.example',
			says: /have a mailbox/,
			wayOut: 'left out',
		},
		{
			parameters: nameless,
			value: 'localhost',
			good: 'x.com',
			says: /must be a domain/,
			wayOut: 'left out',
		},
	],
	script: [
		{
			...{
				parameters: audience,
				value: 'javascript:alert(1)',
				good: 'tel:112',
				says: /must not begin with/,
			},
			wayOut: { never: 'it runs something in the browser of a visitor' },
		},
	],
	several: [
		{
			parameters: byPhone,
			value: '030 1234567; 0170 7654321',
			good: '030 45678',
			says: /has several/,
			wayOut: 'Send As Is',
		},
	],
	tooLong: [
		{
			...{
				parameters: accountName,
				value: 'x'.repeat(256),
				good: 'X',
				says: /255 characters/,
			},
			wayOut: { never: "the API's document excludes it" },
		},
		{
			parameters: byPhone,
			value: '1'.repeat(5_001),
			good: '030 12345',
			says: /at most 5000/,
			wayOut: 'Send As Is',
		},
	],
	unreadable: [
		{
			parameters: byPhone,
			value: ' 1-800-FLOWERS ',
			good: '030 23456',
			says: /can be dialed/,
			wayOut: 'Send As Is',
		},
		{
			parameters: byPhone,
			value: '8999',
			good: '030 34567',
			says: /can be dialed/,
			wayOut: 'Send As Is',
		},
	],
};

/** IDs and domains that no other run has, because the process remembers what it has created. */
let runs = 0;

async function run(parameters: INodeParameters, values: string[], sendAsIs = false) {
	setup.sandbox.requests.length = 0;
	runs++;
	const items = values.map(
		(each, item): IDataObject => ({ value: each, id: `id-${runs}-${item}` }),
	);
	const options = {
		...requestLimits({ concurrency: 1, maxRetries: 0 }),
		...(parameters.options as INodeParameters | undefined),
		...(sendAsIs && { sendAsIs }),
	};
	const result = await setup.run({ ...parameters, options }, items, {
		onError: 'continueRegularOutput',
	});
	const bodies = setup.sandbox.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ body, path }) => JSON.stringify([body, path]));
	return {
		errors: result.output.map(({ json }) => String(json.error)),
		hints: result.hints,
		bodies,
	};
}

const rows = Object.entries(table).flatMap(([refusal, some]) =>
	some.map((row) => [refusal, row.value.slice(0, 30), row] as const),
);

const offer = 'Options > Send As Is';

test.each(rows)('%s: %j is refused, and has its way out', async (_, __, row) => {
	const { parameters, value: bad, good, says, wayOut } = row;
	const asUsual = await run(parameters, [bad, good]);
	if (wayOut === 'left out') {
		expect(asUsual.hints.join(' ')).toMatch(says);
		expect(asUsual.bodies).toHaveLength(2);
		expect(asUsual.bodies[0]).not.toContain(bad);
		return;
	}
	expect(asUsual.errors[0]).toMatch(says);
	expect(asUsual.bodies).toHaveLength(1);
	if (wayOut === 'Send As Is') expect(asUsual.errors[0]).toContain(offer);
	if (typeof wayOut === 'object' && 'instead' in wayOut) {
		const { bodies } = await run(parameters, [wayOut.instead, good]);
		expect(bodies[0]).toContain(JSON.stringify(wayOut.instead));
		return;
	}
	const asIs = await run(parameters, [bad, good], true);
	if (wayOut === 'Send As Is') expect(asIs.bodies[0]).toContain(JSON.stringify(bad.trim()));
	else {
		expect(asUsual.errors[0]).not.toContain(offer);
		expect(asIs.errors[0]).toMatch(says);
	}
});

test('a text that was sent as it is, is one person for each spelling in capitals', async () => {
	const { bodies, errors } = await run(byPhone, ['1-800-ADA', ' 1-800-ada'], true);
	expect(bodies).toHaveLength(1);
	expect(errors).toEqual(['undefined', 'undefined']);
});

test('Send As Is holds for the whole run, so an item that means something else is refused', async () => {
	const items = [true, false].map((asIs, i) => ({ asIs, value: `+49 30 123456${i}` }));
	const options = { ...requestLimits({ concurrency: 1 }), sendAsIs: '={{ $json.asIs }}' };
	const onError = 'continueRegularOutput';
	const { output } = await setup.run({ ...byPhone, options }, items, { onError });
	expect(output.map(({ json }) => json.error)).toEqual([
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
	const update = {
		...audience,
		updateFields: { customName: 'Hi {{first_name}}', actionUrlOverride: value },
	};
	const { hints, bodies } = await run(update, ['sms:+491701234567', '/a b']);
	expect(bodies).toHaveLength(2);
	expect(bodies[1]).toContain('/a%20b');
	expect(hints.filter((hint) => hint.includes('{{first_name}}'))).toHaveLength(1);
	const link = await run({ ...pageLink, updateFields: { path: value } }, ['/{{slug}}', 'offer']);
	expect(link.hints.join(' ')).toContain('{{slug}}');
});

test('a model is not told of an option that only a person can add', async () => {
	const { error } = await setup.run({ ...accountName, domain: 'a.example' }, [{ value: 'n/a' }], {
		asTool: true,
	});
	expect(error?.message).toContain('says that there is none');
	expect(error?.message).not.toContain(offer);
});
