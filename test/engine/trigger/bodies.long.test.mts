import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { generated, withinMs } from '../../generated.mts';
import type { Incoming, ReadBody } from './host.mts';
import { pagesOption, setUpScene, until } from './scene.mts';

/*
 * Bodies as n8n's own code reads them. What must hold: whatever the content type, the charset and the compression, no
 * output has the token in any spelling, and none has the insides of n8n's parser.
 */

type Request = Readable & ReadBody;
interface FormParser {
	(request: Request): Promise<{ body: unknown; cleanup: () => Promise<void> }>;
}

const inN8n = createRequire(`${import.meta.dirname}/../../../tools/n8n/node_modules/n8n/dist/x.js`);
const { rawBodyReader, parseBody } = inN8n('./middlewares/body-parser.js') as {
	rawBodyReader: (request: Request, response: unknown, next: () => void) => void;
	parseBody: (request: Request) => Promise<void>;
};
const { createMultiFormDataParser } = inN8n('./webhooks/webhook-form-data.js') as {
	createMultiFormDataParser: (mostMb: number) => FormParser;
};
const parseForm = createMultiFormDataParser(200);

/** n8n's parser of XML never ends with some texts that are no XML, and n8n then never responds. */
async function failSoon(): Promise<never> {
	await new Promise((resolve) => setTimeout(resolve, 100).unref());
	throw new Error('n8n does not respond');
}

/** @throws what n8n rejects */
async function readBody({ headers, body = Buffer.alloc(0) }: Incoming): Promise<ReadBody> {
	const request = Object.assign(Readable.from(body.length > 0 ? [body] : []), {
		headers,
	}) as Request;
	rawBodyReader(request, {}, () => {});
	if (request.contentType === 'multipart/form-data') {
		const { body: form, cleanup } = await parseForm(request);
		request.body = form;
		await cleanup();
	} else {
		await Promise.race([parseBody(request), failSoon()]);
	}
	const { contentType, encoding, rawBody, body: parsed } = request;
	return { contentType, encoding, rawBody, body: parsed };
}

const scene = setUpScene();
beforeEach(() => (scene.host.readBody = readBody));

async function publish(options: INodeParameters = {}) {
	const { subscription, trigger } = scene.subscribed({ active: false }, { options });
	await trigger.publish();
	const { url } = subscription;
	return { subscription, trigger, url, token: new URL(url).searchParams.get('token') ?? '' };
}

const json = (number = 0): IDataObject[] =>
	scene.host.executions[number].items.map((item) => item.json);
const type = (contentType: string) => ({ 'content-type': contentType });

function multipart(...parts: Array<[header: string, content: string | Buffer]>) {
	const bytes = parts.flatMap(([header, content]) => [
		Buffer.from(`--x\r\nContent-Disposition: form-data; ${header}\r\n\r\n`),
		Buffer.from(content),
		Buffer.from('\r\n'),
	]);
	return Buffer.concat([...bytes, Buffer.from('--x--\r\n')]);
}

describe('a multipart form', () => {
	const file = (name: string, mimetype = 'text/plain') =>
		`name="${name}"; filename="${name}.txt"\r\nContent-Type: ${mimetype}`;
	const described = (name: string, size: number) => ({
		filename: `${name}.txt`,
		mimetype: 'text/plain',
		size,
	});
	const formType = type('multipart/form-data; boundary=x');

	test.each<[string, Buffer, unknown]>([
		['fields', multipart(['name="name"', 'Zoë'], ['name="a"', '1']), { name: 'Zoë', a: '1' }],
		[
			'a field that comes twice',
			multipart(['name="a"', '1'], ['name="a"', '2']),
			{ a: ['1', '2'] },
		],
		['a file', multipart([file('cv'), 'hello']), { cv: described('cv', 5) }],
		['an empty form', multipart(), {}],
		[
			'prototype names',
			multipart(['name="__proto__x"', '1'], ['name="constructor"', '2']),
			{ ['__proto__x']: '1', constructor: '2' },
		],
	])('of %s outputs what the sender sent', async (_, body, expected) => {
		const { url } = await publish();
		expect(await scene.deliver(url, body, formType)).toBe(200);
		expect(json()).toEqual([expected]);
	});

	test('of a field and two files of one name outputs all three', async () => {
		const { url } = await publish();
		const body = multipart(['name="cv"', 'x'], [file('cv'), 'a'], [file('cv'), 'bc']);
		expect(await scene.deliver(url, body, formType)).toBe(200);
		const { cv, ...others } = json()[0];
		const [field, ...files] = cv as IDataObject[];
		expect([json().length, field, files.length, others]).toEqual([1, 'x', 2, {}]);
		// n8n writes files to its disk at the same time, and lists first what it has written first.
		expect(files).toEqual(expect.arrayContaining([described('cv', 1), described('cv', 2)]));
	});

	test('is the body of Details, without a path of this machine', async () => {
		const { url } = await publish({ output: 'details' });
		await scene.deliver(url, multipart(['name="a"', '1'], [file('cv'), 'hello']), formType);
		expect(json()).toMatchObject([{ body: { a: '1', cv: described('cv', 5) }, rawBody: '' }]);
		expect(JSON.stringify(json())).not.toMatch(/\/tmp|_events|filepath|newFilename/);
	});

	test('starts nothing for a kind in a field that was not chosen', async () => {
		const { url } = await publish();
		const body = multipart(['name="event"', 'form.enriched'], [file('cv'), 'hello']);
		const { data } = await scene.send(url, body, formType);
		expect(data).toEqual({ started: false, reason: 'This event was not chosen' });
	});

	test('is a duplicate of the same fields and files', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		for (const content of ['hello', 'hello', 'hello!'])
			await scene.deliver(url, multipart(['name="a"', '1'], [file('cv'), content]), formType);
		expect(scene.host.executions).toHaveLength(2);
	});
});

describe('a body', () => {
	test.each<[string, string | Buffer, { [name: string]: string }, unknown]>([
		[
			'of JSON in UTF-16',
			Buffer.from('{"a":"Zoë"}', 'utf16le'),
			type('application/json; charset=utf-16le'),
			{ body: { a: 'Zoë' }, rawBody: '{"a":"Zoë"}' },
		],
		[
			'of JSON of another type in UTF-16',
			Buffer.from('{"a":"Zoë"}', 'utf16le'),
			type('application/cloudevents+json; charset=utf-16le'),
			{ body: { a: 'Zoë' }, rawBody: '{"a":"Zoë"}' },
		],
		[
			'of text in Latin-1',
			Buffer.from('Zoë', 'latin1'),
			type('text/csv; charset=latin1'),
			{ body: 'Zoë', rawBody: 'Zoë' },
		],
		[
			'of text in no charset',
			'Zoë',
			type('text/plain; charset=base64'),
			{ body: 'Zoë', rawBody: 'Zoë' },
		],
		[
			'of a form in no charset',
			'a=1',
			type('application/x-www-form-urlencoded; charset=base64'),
			{ body: 'a=1', rawBody: 'a=1' },
		],
		['of JSON in no charset', '{"a":1}', type('text/plain; charset=hex'), { body: { a: 1 } }],
		[
			'that is compressed with gzip',
			gzipSync('{"a":1}'),
			{ ...type('application/json'), 'content-encoding': 'gzip' },
			{ body: { a: 1 }, rawBody: '{"a":1}' },
		],
		[
			'that n8n does not decompress',
			brotliCompressSync('{"a":1}'),
			{ ...type('text/plain; charset=latin1'), 'content-encoding': 'br' },
			{ body: '', rawBody: '' },
		],
		[
			'of a form that n8n does not decompress',
			brotliCompressSync('a=1'),
			{ ...type('application/x-www-form-urlencoded'), 'content-encoding': 'br' },
			{ body: '', rawBody: '' },
		],
		[
			'of parts, which n8n does not read, in UTF-16',
			multipart(['name="a"', '1']),
			type('multipart/mixed; boundary=x; charset=utf-16le'),
			{ body: '', rawBody: '' },
		],
		[
			'that only claims to be compressed',
			'{"a":1}',
			{ ...type('application/json'), 'content-encoding': 'utf-8' },
			{ body: { a: 1 }, rawBody: '{"a":1}' },
		],
	])('%s is read', async (_, body, headers, expected) => {
		const { url } = await publish({ output: 'details' });
		expect(await scene.deliver(url, body, headers)).toBe(200);
		expect(json()).toMatchObject([expected as IDataObject]);
	});

	test('in UTF-16 with the token is output but for the token', async () => {
		const { url, token } = await publish({ output: 'details' });
		const text = (value: string) => JSON.stringify({ a: 'Zoë', token: value });
		const bytes = Buffer.from(text(token), 'utf16le');
		await scene.deliver(url, bytes, type('application/json; charset=utf-16le'));
		expect(json()).toMatchObject([{ body: { a: 'Zoë', token: '***' }, rawBody: text('***') }]);
	});

	test.each([
		['br', brotliCompressSync('hello')],
		['gzip', gzipSync('hello')],
	])('compressed with %s reaches a test run as it came', async (encoding, body) => {
		const { subscription, trigger } = await publish();
		await trigger.listen();
		const headers = { ...type('text/plain'), 'content-encoding': encoding };
		await scene.deliver(subscription.url, body, headers);
		await until(() => scene.host.executions.length === 2);
		expect(json(1)).toEqual(json(0));
	});
});

const hex = (letter: string, digits = 2) => letter.charCodeAt(0).toString(16).padStart(digits, '0');

/** How programs write a letter. */
const spellings: Array<(letter: string) => string> = [
	(letter) => letter,
	(letter) => letter.toUpperCase(),
	(letter) => `\\u${hex(letter, 4)}`,
	(letter) => `\\\\u${hex(letter, 4)}`,
	(letter) => `\\x${hex(letter)}`,
	(letter) => `%${hex(letter)}`,
	(letter) => `%25${hex(letter).toUpperCase()}`,
	(letter) => `&#${letter.charCodeAt(0)};`,
	(letter) => `&amp;#x${hex(letter)};`,
];

/** How senders write text as bytes. */
const writers: Array<(text: string) => Buffer> = [
	(text) => Buffer.from(text),
	(text) => Buffer.from(text, 'latin1'),
	(text) => Buffer.from(text, 'utf16le'),
	(text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
	(text) => Buffer.from(text, 'utf16le').swap16(),
	(text) => Buffer.concat([...text].map((letter) => Buffer.from(`${letter}\0\0\0`))),
];

/** The first ones are all that n8n's parser of multipart forms takes. */
const formCharsets = ['', '; charset=utf-8', '; charset=binary', '; charset=base64'];
const charsets = [
	...formCharsets,
	...['UTF-16LE', 'ucs-2', 'utf16le', 'utf-16', 'utf-16be', 'latin1', 'ascii'],
	...['iso-8859-1', 'hex', 'base64url', '"utf-16le"'],
].map((name, i) => (i < formCharsets.length ? name : `; charset=${name}`));

const compressions: { [name: string]: (bytes: Buffer) => Buffer } = {
	'': (bytes) => bytes,
	identity: (bytes) => bytes,
	gzip: (bytes) => gzipSync(bytes),
	deflate: (bytes) => deflateSync(bytes),
	br: (bytes) => brotliCompressSync(bytes),
	GZIP: (bytes) => gzipSync(bytes, { level: 0 }),
	'utf-8': (bytes) => bytes,
};

/** Bodies that repeat a secret, by content type. */
const shapes: { [type: string]: Array<(secret: string) => string> } = {
	'application/json': [
		(secret) => `{"event":"form.submitted","a":{"url":"https://x/?token=${secret}"}}`,
		(secret) => `[{"${secret}":1},"${secret}"]`,
		(secret) => `[{"event":"form.submitted","${secret}":1},{"pageId":"page_1","a":["${secret}"]}]`,
		(secret) => `"${secret}"`,
	],
	'application/x-www-form-urlencoded': [
		(secret) => `a=1&url=${secret}`,
		(secret) => `<p>=x&${secret}=`,
	],
	'application/xml': [(secret) => `<a b="${secret}"><c>${secret}</c></a>`],
	'text/plain': [
		(secret) => `Zoe <p> token=${secret}, and more`,
		(secret) => `{"a":"${secret}"}`,
		(secret) => secret,
	],
};
const others = ['application/cloudevents+json', 'application/octet-stream', 'text/csv', ''];
const anyShape = Object.values(shapes).flat();

const texts = fc
	.tuple(fc.constantFrom(...Object.keys(shapes), ...others), fc.boolean())
	.chain(([mime, isUsual]) =>
		fc.record({
			mime: fc.constant(mime),
			shape: fc.constantFrom(...((isUsual && shapes[mime]) || anyShape)),
			charset: fc.constantFrom(...charsets),
		}),
	);
const forms = fc.record({
	mime: fc.constant('multipart/form-data; boundary=x'),
	shape: fc.constantFrom(...anyShape),
	charset: fc.constantFrom(...formCharsets),
});

/** How triggers output what they get. */
const setups = (['payload', 'details'] as const).flatMap((output) => [
	{ options: { output } },
	{ options: { output, pages: pagesOption('page_1') }, outputs: 'perEvent' as const },
]);

const sent = fc.record({
	told: fc.oneof({ weight: 5, arbitrary: texts }, forms),
	setup: fc.constantFrom(...setups),
	spelling: fc.oneof(
		fc.constantFrom(...spellings).map((one) => Array.from({ length: 64 }, () => one)),
		fc.array(fc.constantFrom(...spellings), { minLength: 64, maxLength: 64 }),
	),
	write: fc.constantFrom(...writers),
	compression: fc.constantFrom(...Object.keys(compressions)),
	/** Under which name, if not its own. */
	claimed: fc.option(fc.constantFrom(...Object.keys(compressions)), { nil: undefined, freq: 8 }),
});

/** What a reader could take a text of the output for. */
function* readings(text: string): Generator<string> {
	yield text;
	for (const encoding of ['utf16le', 'hex', 'base64'] as const)
		yield Buffer.from(text, encoding).toString('latin1');
}

/** All texts of a value, names of fields too. */
function listTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, each]) => [name, ...listTexts(each)]);
}

const config = generated(300);
test(
	'with the token is output without it, in any charset, type and compression',
	async () => {
		const { host } = scene;
		const addresses = new Map<object, { url: string; token: string }>();
		for (const [i, setup] of setups.entries()) {
			const subscription = scene.subscription({ active: false }, i);
			await scene.trigger(subscription, setup).publish();
			const { url } = subscription;
			addresses.set(setup, { url, token: new URL(url).searchParams.get('token') ?? '' });
		}
		const seen = { hidden: 0, rejected: 0, divided: 0, 'multipart/form-data': 0, 'utf-16': 0 };
		await fc.assert(
			fc.asyncProperty(sent, async ({ told, setup, spelling, write, compression, claimed }) => {
				const { url = '', token = '' } = addresses.get(setup) ?? {};
				const { mime, shape, charset } = told;
				const written = [...token].map((letter, i) => spelling[i](letter)).join('');
				// In a form this sign ends a field.
				const spelled = mime.endsWith('urlencoded') ? written.replaceAll('&', '%26') : written;
				const isForm = mime.startsWith('multipart/');
				const plain = isForm
					? multipart(
							['name="a"', write(shape(spelled))],
							[`name="${spelled}"; filename="${spelled}.txt"`, write(spelled)],
						)
					: write(shape(spelled));
				// n8n's parser of multipart forms reads no compressed ones.
				const body = isForm ? plain : compressions[compression](plain);
				const encoding = isForm ? '' : (claimed ?? compression);
				const { pathname, search } = new URL(url);
				host.executions.length = 0;
				const answer = await host
					.handle({
						method: 'POST',
						url: pathname + search,
						headers: {
							'content-length': String(body.length),
							...(mime || charset ? type(mime + charset) : {}),
							...(encoding ? { 'content-encoding': encoding } : {}),
						},
						body,
					})
					.catch(() => undefined);
				if (answer?.status !== 200) return void seen.rejected++;
				const [{ items, outputs }] = host.executions;
				if (outputs.length > 1) seen.divided++;
				const shown = items.flatMap((item) => listTexts(item.json));
				for (const text of shown) {
					for (const reading of readings(text)) {
						const read = reading.replaceAll('\0', '').toLowerCase();
						for (const secret of [token, spelled.toLowerCase()]) {
							for (let at = 0; at + 40 <= secret.length; at += 20)
								expect(read).not.toContain(secret.slice(at, at + 40));
						}
					}
				}
				if (shown.some((text) => text.includes('***'))) seen.hidden++;
				if (isForm) seen['multipart/form-data']++;
				if (/utf-?16|ucs/i.test(charset)) seen['utf-16']++;
			}),
			config,
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(config.numRuns / 20);
	},
	withinMs(config),
);
