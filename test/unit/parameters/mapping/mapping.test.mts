import fc from 'fast-check';
import { DateTime } from 'luxon';
import { compileParameter } from '../../../../nodes/parameters/mapping.ts';
import { generated, withinMs } from '../../../generated.mts';
import { type EvaluatingN8n, openIsolatedEngine, openLegacyEngine } from './n8n.mts';
import { cases } from './parameters.mts';

/* Most expressions are read from the item, without n8n: they must yield what n8n would. */

const runs = generated(1_000);

describe.each([
	['the isolated engine', openIsolatedEngine],
	['the engine of older releases', openLegacyEngine],
])('with %s of n8n', (_, open) => {
	let n8n: EvaluatingN8n;
	beforeAll(async () => (n8n = await open()));
	afterAll(async () => await n8n.close());

	test(
		'a parameter has the value that n8n gives it, and n8n alone changes what is saved',
		() => {
			let read = 0;
			const play = fc.property(cases, ({ json, saved }) => {
				const before = JSON.stringify(saved);
				const asked: string[] = [];
				const ours = settle(() =>
					compileParameter(saved, 'value')(json, (path) => {
						asked.push(path);
						return n8n.evaluate(saved, json, path);
					}),
				);
				// All of it is left to n8n.
				if (asked.includes('value')) return;
				if (asked.length === 0) read++;
				expect(ours).toEqual(settle(() => n8n.evaluate(saved, json)));
				change(ours.value);
				expect(JSON.stringify(saved)).toBe(before);
			});
			fc.assert(play, runs);
			// Otherwise the test would show nothing.
			expect(read).toBeGreaterThan(runs.numRuns / 4);
		},
		withinMs(runs),
	);
});

const contact = {
	email: 'ann@crm.example',
	'First name': 'Ann',
	größe: 5,
	phones: [{ number: 301 }, { number: 302 }],
	site: null,
};

test.each<[saved: unknown, value: unknown]>([
	['={{ $json.email }}', 'ann@crm.example'],
	['={{$json.email}}', 'ann@crm.example'],
	['={{ $json["First name"] }}', 'Ann'],
	["={{ $json['größe'] }}", 5],
	['={{ $json.fax }}', undefined],
	['={{ $json.site }}', null],
	...['text', '', ' {{ $json.a }}', 5, true, null].map((each): [unknown, unknown] => [each, each]),
])('%j is read without n8n', (saved, value) => {
	expect(compileParameter(saved, 'value')(contact, ask)).toBe(value);
});

test.each<[saved: unknown]>([
	['={{ $json }}'],
	['={{ $json.phones }}'],
	['={{ $json.phones[0].number }}'],
	['={{ $json.email.length }}'],
	['={{ $json.toString }}'],
	["={{ $json['constructor'] }}"],
	['={{ $json.__proto__ }}'],
	['={{ $json.email }} '],
	['={{ $json?.email }}'],
	['={{ $json[01] }}'],
	["={{ $json['\\u0061'] }}"],
	["={{ $json['\ud800'] }}"],
	['={{ $now }}'],
	// No path leads to its member.
	[JSON.parse('{ "__proto__": "={{ $json.email }}" }')],
])('n8n evaluates %j', (saved) => {
	expect(() => compileParameter(saved, 'value')(contact, ask)).toThrow(new Error('value'));
});

function ask(path: string): never {
	throw new Error(path);
}

/**
 * The present never stands still. And n8n makes text of a date in a collection, which is left to the reading of the
 * parameter here.
 */
function settle(read: () => unknown): { value?: unknown; error?: string } {
	try {
		return { value: withoutTime(read()) };
	} catch (error) {
		return { error: error instanceof Error ? error.message : String(error) };
	}
}

function withoutTime(value: unknown): unknown {
	if (DateTime.isDateTime(value)) return 'a date';
	if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+/.test(value)) return 'a date';
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
