import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Incoming, ReadBody } from './host.mts';
import { pagesOption, setUpScene, until } from './scene.mts';

/* Bodies as n8n's own code reads them. */

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

/** n8n deletes the files of a form after it has called the node. */
const cleanups: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** @throws what n8n rejects */
async function readBody({ headers, body = Buffer.alloc(0) }: Incoming): Promise<ReadBody> {
	const request = Object.assign(Readable.from(body.length > 0 ? [body] : []), {
		headers,
	}) as Request;
	rawBodyReader(request, {}, () => {});
	if (request.contentType === 'multipart/form-data') {
		const { body: form, cleanup } = await parseForm(request);
		request.body = form;
		cleanups.push(cleanup);
	} else {
		await parseBody(request);
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
	const file = 'name="cv"; filename="cv.txt"\r\nContent-Type: text/plain';
	const typedPart = 'name="payload"\r\nContent-Type: application/json';
	const formType = type('multipart/form-data; boundary=x');
	const event = (name: string, pageId = 'page_1') =>
		JSON.stringify({ event: name, data: { pageId } });

	test.each<[string, Buffer, unknown]>([
		['fields', multipart(['name="name"', 'Zoë'], ['name="a"', '1']), { name: 'Zoë', a: '1' }],
		[
			'a field that comes twice',
			multipart(['name="a"', '1'], ['name="a"', '2']),
			{ a: ['1', '2'] },
		],
		['a part that is JSON', multipart(['name="p"', '{"a":1}']), { p: { a: 1 } }],
		[
			'a part that is JSON and says so',
			multipart(['name="a"', '1'], [typedPart, '{"b":"Zoë"}']),
			{ a: '1', payload: { b: 'Zoë' } },
		],
		['a part with a type and no JSON', multipart([typedPart, 'hello']), { payload: 'hello' }],
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
		expect(scene.host.log).toEqual([]);
	});

	test('of a file outputs the fields, and the log names the file', async () => {
		const { url } = await publish({ output: 'details' });
		await scene.deliver(url, multipart(['name="a"', '1'], [file, 'hello']), formType);
		expect(json()).toMatchObject([{ body: { a: '1' }, rawBody: '' }]);
		expect(scene.host.log.join()).toContain('had files (cv), which the trigger does not output');
	});

	test.each(['name="payload"', typedPart])(
		'starts the workflow by the event and the page in a part that is JSON: %j',
		async (header) => {
			const { url } = await publish({ output: 'details', pages: pagesOption('page_1') });
			const send = async (content: string) =>
				(await scene.send(url, multipart([header, content]), formType)).data;
			expect(await send(event('form.enriched'))).toMatchObject({
				reason: 'This event was not chosen',
			});
			expect(await send(event('form.submitted', 'page_2'))).toMatchObject({
				reason: 'This page was not chosen',
			});
			expect(await send(event('form.submitted'))).toEqual({ started: true });
			expect(json()).toMatchObject([{ eventKind: 'form.submitted' }]);
		},
	);

	test('holds no token, even if a part repeats the URL', async () => {
		const { url, token } = await publish();
		const parts = multipart(['name="url"', url], [typedPart, JSON.stringify({ url })]);
		await scene.deliver(url, parts, formType);
		expect(JSON.stringify(json())).toContain('token=***');
		expect(JSON.stringify(json())).not.toContain(token);
	});

	test('is a duplicate of the same fields and files', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		for (const content of ['hello', 'hello', 'hello!'])
			await scene.deliver(url, multipart(['name="a"', '1'], [file, content]), formType);
		expect(scene.host.executions).toHaveLength(2);
	});
});

describe('a body', () => {
	const brotli = brotliCompressSync('hello');
	test.each<[string, string | Buffer, { [name: string]: string }, unknown]>([
		[
			'of JSON in UTF-16',
			Buffer.from('{"a":"Zoë"}', 'utf16le'),
			type('application/json; charset=utf-16le'),
			{ body: { a: 'Zoë' } },
		],
		[
			'of text in Latin-1, in base64',
			Buffer.from('Zoë', 'latin1'),
			type('text/csv; charset=latin1'),
			{ body: 'Wm/r', rawBody: 'Wm/r' },
		],
		[
			'that is compressed with gzip',
			gzipSync('{"a":1}'),
			{ ...type('application/json'), 'content-encoding': 'gzip' },
			{ body: { a: 1 }, rawBody: '{"a":1}' },
		],
		[
			'that n8n does not decompress, in base64',
			brotli,
			{ ...type('text/plain'), 'content-encoding': 'br' },
			{ rawBody: brotli.toString('base64') },
		],
		[
			'of XML',
			'<a><b>1</b></a>',
			type('application/xml'),
			{ body: { a: { b: '1' } }, rawBody: '<a><b>1</b></a>' },
		],
		[
			'of parts, which n8n does not read',
			multipart(['name="a"', '1']),
			type('multipart/mixed; boundary=x'),
			{ body: '', rawBody: '' },
		],
	])('%s is read', async (_, body, headers, expected) => {
		const { url } = await publish({ output: 'details' });
		expect(await scene.deliver(url, body, headers)).toBe(200);
		expect(json()).toMatchObject([expected as IDataObject]);
	});

	test.each([
		['br', brotli],
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
