import fc from 'fast-check';
import { openClient } from '../../../nodes/api/client.ts';
import { readConnection } from '../../../nodes/api/connection.ts';
import { at, GET } from '../../../nodes/api/request.ts';
import { hideSecret, redact } from '../../../nodes/api/redact.ts';
import { readRecords } from '../../../nodes/api/response.ts';
import { quote } from '../../../nodes/parameters/checks.ts';
import { toJsonObject } from '../../../nodes/parameters/json.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { listMessages, toErrorItem, toNodeError } from '../../../nodes/nodeErrors.ts';
import { generated, withinMs } from '../../generated.mts';
import { credential, getPersons, makeContext, node } from './responding.mts';

/*
 * What must hold: wherever the service or the network repeats the API key, as it is or escaped as in a URL or in JSON, no
 * message has more than a few letters of it in a row.
 */

const mostLetters = 6;

/** As it is, as in a URL, and as in JSON. */
const spellings = [
	(key: string) => key,
	encodeURIComponent,
	(key: string) => JSON.stringify(key).slice(1, -1),
];

const keyLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./+=:~!%&"\\';
const keys = fc.string({ unit: fc.constantFrom(...keyLetters), minLength: 16, maxLength: 80 });

/** Words around a key, and as many of them that a key stands where texts are cut. */
const words = fc.constantFrom(
	...['gone', 'not known', '<p>', '%20', '&amp;', '\\n', '"', '{', 'é', '😀'],
);
const around = fc.oneof(
	fc.array(words, { maxLength: 8 }).map((some) => some.join(' ')),
	fc.integer({ min: 380, max: 505 }).map((length) => 'x'.repeat(length)),
	fc.integer({ min: 9_900, max: 10_005 }).map((length) => `${'z <br> '.repeat(length / 7)}`),
);

const spelledKeys = fc.tuple(keys, fc.constantFrom(...spellings));

/** The places where a text of the service or the network may come from, which throws or returns this. */
const places: Record<string, (text: string) => object> = {
	text: (text) => ({ body: text }),
	page: (text) => ({ body: `<html><title>Error</title><p>${text}</p></html>` }),
	message: (text) => ({ body: { message: text } }),
	'nested list': (text) => ({ body: { errors: [{ code: 1 }, { field: 'a', message: text }] } }),
	'name of a field': (text) => ({ body: { [text]: ['is odd'] } }),
	'place of a message': (text) => ({ body: { message: 'is odd', path: text } }),
	'parts of a place': (text) => ({ body: { message: 'is odd', loc: ['body', text] } }),
	header: (text) => ({ headers: { 'x-request-id': text.replace(/[^\x21-\x7e]/g, '') } }),
	'unexpected record': (text) => ({ statusCode: 200, body: { [text]: 1 } }),
	'lost connection': (text) => new Error(text),
	cause: (text) => new Error('outer', { cause: Object.assign(new Error(text), { code: 'EPIPE' }) }),
};

/** All that people see of it. */
async function tell(apiKey: string, outcome: object, request = getPersons): Promise<string> {
	const context = makeContext(
		() => {
			if (outcome instanceof Error) throw outcome;
			return { statusCode: 422, headers: {}, body: '', ...outcome };
		},
		{ ...credential, apiKey },
	);
	const client = openClient(context, await readConnection(context), {});
	const error: unknown = await client
		.send(request, { timeoutMs: 1_000, maxRetries: 0 })
		.then((got) => readRecords(got.body, got))
		.catch((failure: unknown) => failure);
	const shown = toNodeError(node, error);
	const item = toErrorItem(node, error, { item: 0, total: 2 });
	return [
		...listMessages(error),
		...[shown.message, shown.description ?? '', JSON.stringify(shown.context)],
		...[JSON.stringify(item.json), JSON.stringify(shown)],
	].join('\n');
}

/** A part of the key, or of its spelling, that is longer than allowed. */
function findRemains(shown: string, key: string, spelled = key): string | undefined {
	for (const text of [key, spelled, JSON.stringify(spelled).slice(1, -1)]) {
		const length = text === key ? mostLetters + 1 : 4 * mostLetters;
		for (let at = 0; at + length <= text.length; at++) {
			const run = text.slice(at, at + length);
			if (shown.includes(run)) return run;
		}
	}
	return undefined;
}

const runs = generated(150);
test.each(Object.entries(places))(
	'no message has the API key from a %s',
	async (_, makeOutcome) => {
		const given = fc.asyncProperty(spelledKeys, around, around, async ([key, spell], ...texts) => {
			const spelled = spell(key);
			const shown = await tell(key, makeOutcome(texts.join(` ${spelled} `)));
			expect(findRemains(shown, key, spelled)).toBeUndefined();
		});
		await fc.assert(given, runs);
	},
	withinMs(runs),
);

test('no message has an API key that was pasted as an ID, however long it is', async () => {
	const given = fc.asyncProperty(fc.integer({ min: 1, max: 12 }), keys, async (times, part) => {
		const key = part.repeat(times);
		const shown = await tell(key, { statusCode: 404 }, GET(at.page`/pages/${key}`));
		expect(shown).toContain('was not found (404)');
		expect(findRemains(shown, key)).toBeUndefined();
	});
	await fc.assert(given, runs);
});

function tellRefusal(read: (text: string) => unknown, text: string): string {
	try {
		return String(read(text));
	} catch (error) {
		return String(error);
	}
}

const refuse: Record<string, (text: string) => unknown> = {
	quote,
	'JSON that is invalid before it': (text) => toJsonObject(`{ "note": "say "${text}"" }`),
	'JSON that is invalid after it': (text) => toJsonObject(`{ "note": "${text}" or so }`),
	'text in place of JSON': toJsonObject,
};

test.each(Object.entries(refuse))(
	'no part of an API key stands in a message about a parameter: %s',
	(_, check) => {
		// No letters of the messages' own words.
		const unit = fc.constantFrom(...'JQXZ0123456789-_.');
		const plain = fc.string({ unit, minLength: 16, maxLength: 80 });
		const space = fc.constantFrom('', ' ', 'a ', '12 345 ');
		const spaces = fc.array(space, { maxLength: 30 });
		const given = fc.property(plain, spaces, space, (key, before, after) => {
			const told = tellRefusal(check, `${before.join('')}${key}${after}`);
			expect(findRemains(redact(told, key), key)).toBeUndefined();
		});
		fc.assert(given, runs);
	},
	withinMs(runs),
);

const key = 'sec/ret"key';

test.each<[value: unknown, kept: unknown]>([
	[`sec%2Fret%22key ${key}`, '*** ***'],
	['"the sec/ret\\"key"', '"the ***"'],
	[{ [key]: [`a ${key}`, 7, null] }, { '***': ['a ***', 7, null] }],
])('%j keeps %j', (value, kept) => {
	expect(redact(value, key)).toEqual(kept);
});

test.each(['', 'the key'])('%j is too short for a secret', (secret) => {
	expect(redact('the key', secret)).toBe('the key');
});

test('is hidden in all that an error says', () => {
	const refused = new ItemRefusedError([{ parameter: 'Email', message: `is "${key}"` }]);
	const error = Object.assign(refused, { description: key, details: { ids: [key] } });
	expect(hideSecret(error, key)).toBe(error);
	expect(error.problems).toEqual([{ parameter: 'Email', message: 'is "***"' }]);
	expect(`${error.message} ${error.stack} ${error.description}`).not.toContain(key);
	expect(error.details).toEqual({ ids: ['***'] });
});
