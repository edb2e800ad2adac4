import fc from 'fast-check';
import { DateTime } from 'luxon';
import { compileParameter } from '../../../nodes/parameters/mapping.ts';
import { generated, withinMs } from '../../generated.mts';
import { type Evaluator, openIsolatedEngine, openLegacyEngine } from './engines.mts';
import { type Case, cases, parameters } from './worlds.mts';

const runs = generated(1_000);
/** Each evaluates up to a dozen expressions. */
const parameterRuns = generated(300, 0.1);

describe.each([
	['the isolated engine', openIsolatedEngine],
	['the engine of older releases', openLegacyEngine],
])('with %s of n8n', (_, open) => {
	let n8n: Evaluator;
	beforeAll(async () => (n8n = await open()));
	afterAll(async () => await n8n.close());

	test(
		'an expression is read from the item as n8n evaluates it, or left to n8n',
		() => {
			let read = 0;
			fc.assert(
				fc.property(cases, ({ json, expression }) => {
					const found = readItem({ json, expression });
					if (!found) return;
					read++;
					expect(found.value).toBe(n8n.evaluate(expression, json));
				}),
				runs,
			);
			// Otherwise the test would show nothing.
			expect(read).toBeGreaterThan(runs.numRuns / 4);
		},
		withinMs(runs),
	);

	test(
		'a parameter has the value that n8n gives it, and n8n alone changes what is saved',
		() => {
			fc.assert(
				fc.property(parameters, ({ json, saved }) => {
					const before = JSON.stringify(saved);
					const read = compileParameter(saved, 'value');
					const evaluate = (path: string) => n8n.evaluate(saved, json, path);
					const ours = settle(() => read(json, evaluate));
					expect(ours).toEqual(settle(() => evaluate('value')));
					change(ours.value);
					expect(JSON.stringify(saved)).toBe(before);
				}),
				parameterRuns,
			);
		},
		withinMs(parameterRuns),
	);

	test.each([
		['={{ $json.email }}', 'ann@crm.example'],
		['={{$json.email}}', 'ann@crm.example'],
		['={{ $json["First name"] }}', 'Ann'],
		["={{ $json['First name'] }}", 'Ann'],
		['={{ $json.phones[1].number }}', 302],
		['={{ $json.phones[7].number }}', undefined],
		['={{ $json.company.name }}', null],
		['={{ $json.company.name.short }}', undefined],
		['={{ $json.nothing.at.all }}', undefined],
		["={{ $json['größe'] }}", 5],
	])('%s is read from the item', (expression, expected) => {
		expect(readItem({ json: contact, expression })?.value).toBe(expected);
		expect(n8n.evaluate(expression, contact)).toBe(expected);
	});
});

const contact = {
	email: 'ann@crm.example',
	'First name': 'Ann',
	größe: 5,
	phones: [{ number: 301 }, { number: 302 }],
	company: { name: null },
};

test.each([
	'={{ $json }}',
	'={{ $json.phones }}',
	'={{ $json.email.length }}',
	'={{ $json.phones.length }}',
	'={{ $json.toString }}',
	'={{ $json.constructor }}',
	'={{ $json.__proto__ }}',
	"={{ $json['constructor'] }}",
	'={{ $json.email }} ',
	'={{ $json.email ?? "" }}',
	'={{ $json?.email }}',
	'={{ $json[01] }}',
	'={{ $now }}',
])('n8n evaluates %s', (expression) => {
	expect(readItem({ json: contact, expression })).toBeUndefined();
});

test('n8n evaluates a member that no path leads to', () => {
	const saved: unknown = JSON.parse('{ "__proto__": "={{ $json.a }}" }');
	expect(compileParameter(saved, 'value')({ a: 1 }, (path) => path)).toBe('value');
});

test('text and values without an expression are read without n8n', () => {
	for (const saved of ['text', '', ' {{ $json.a }}', 5, true, null])
		expect(compileParameter(saved, 'value')({}, askNobody)).toBe(saved);
});

/** What the item itself says; undefined where n8n must evaluate the expression. */
function readItem({ json, expression }: Case): { value: unknown } | undefined {
	try {
		return { value: compileParameter(expression, 'value')(json, askNobody) };
	} catch (error) {
		if (error instanceof AskedError) return undefined;
		throw error;
	}
}

class AskedError extends Error {}

function askNobody(): never {
	throw new AskedError();
}

/** A Luxon date compares by what it stands for, and the present never stands still. */
function settle(read: () => unknown): { value?: unknown; error?: string } {
	try {
		return { value: withoutTime(read()) };
	} catch (error) {
		return { error: error instanceof Error ? error.message : String(error) };
	}
}

function withoutTime(value: unknown): unknown {
	if (DateTime.isDateTime(value)) return 'a date';
	if (typeof value === 'string' && /^20\d\d-\d\d-\d\dT[\d:.]+/.test(value)) return 'a date';
	if (Array.isArray(value)) return value.map(withoutTime);
	if (typeof value !== 'object' || value === null) return value;
	// How a Luxon date leaves the isolate, where n8n was not loaded by jest.
	if ('__isoString' in value) return 'a date';
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutTime(each)]));
}

function change(value: unknown): void {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
	for (const each of Object.values(value)) change(each);
	Reflect.set(value, 'changed', true);
}
