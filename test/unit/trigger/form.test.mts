import { randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { readForm } from '../../../nodes/PageAudienceTrigger/delivery/form.ts';

/** What n8n read of a request, and the texts of the files that it saved meanwhile, by their paths. */
function makeContext(contentType: string, body: unknown, files: Record<string, string> = {}) {
	const log: unknown[] = [];
	const context: object = {
		getRequestObject: () => ({ contentType, body }),
		getNode: () => ({ name: 'Trigger', webhookId: randomUUID() }),
		getWorkflow: () => ({ id: '1' }),
		getCredentials: async () => await Promise.resolve({ apiKey: 'the-api-key', baseUrl: '' }),
		logger: { warn: (...line: unknown[]) => log.push(line) },
		nodeHelpers: {
			// A large file is kept under an ID, and a small one in memory.
			copyBinaryFile: async (path: string) => {
				const isLarge = path.includes('large');
				const data = Buffer.from(files[path]).toString('base64');
				return await Promise.resolve(isLarge ? { id: path, data: 'elsewhere' } : { data });
			},
		},
		helpers: {
			getBinaryStream: async (id: string) => await Promise.resolve(files[id]),
			binaryToBuffer: async (stream: string) => await Promise.resolve(Buffer.from(stream)),
		},
	};
	return { context: context as IWebhookFunctions, log };
}

const multipart = (data: IDataObject, files: IDataObject = {}) => ({ data, files });

test.each<[what: string, type: string, body: unknown, content: unknown]>([
	['a form', 'application/x-www-form-urlencoded', { a: '1', b: ' ' }, { a: '1', b: ' ' }],
	['fields', 'multipart/form-data', multipart({ name: 'Zoë' }), { name: 'Zoë' }],
	['an empty form', 'multipart/form-data', multipart({}), {}],
	['names that come twice', 'multipart/form-data', multipart({ a: ['1', '2'] }), { a: ['1', '2'] }],
	[
		'parts that are JSON, and some that look so',
		'multipart/form-data',
		multipart({ a: '{"b":[1]}', c: '[2]', d: 'null', e: '5', f: '{' }),
		{ a: { b: [1] }, c: [2], d: 'null', e: '5', f: '{' },
	],
	['prototype names', 'multipart/form-data', multipart({ constructor: '1' }), { constructor: '1' }],
	['JSON', 'application/json', { a: 1 }, undefined],
	['text', 'multipart/form-data', 'a=1', undefined],
	['nothing', 'application/x-www-form-urlencoded', undefined, undefined],
])('what a body has: %s', async (_, type, body, content) => {
	const { context, log } = makeContext(type, body);
	expect(await readForm(context)).toEqual(content && { content, files: [] });
	expect(log).toEqual([]);
});

// n8n saves each part with a content type of its own as a file.
test('a part without a file name is a field, and a file is only named', async () => {
	const files = {
		payload: { filepath: '/tmp/1', originalFilename: null, size: 9 },
		text: [{ filepath: '/tmp/large' }, { filepath: '/tmp/3' }],
		cv: { filepath: '/tmp/4', originalFilename: 'cv.txt', size: 5 },
		broken: { size: 1 },
	};
	const texts = { '/tmp/1': '{"b":"Zoë"}', '/tmp/large': 'hello', '/tmp/3': 'x', '/tmp/4': 'no' };
	const body = multipart({ a: '1', text: 'first' }, files);
	const { context, log } = makeContext('multipart/form-data', body, texts);
	expect(await readForm(context)).toEqual({
		content: { a: '1', text: ['first', 'hello', 'x'], payload: { b: 'Zoë' } },
		files: [
			{ name: 'cv', filename: 'cv.txt', size: 5 },
			{ name: 'broken', filename: undefined, size: 1 },
		],
	});
	const line = 'a delivery had files (cv, broken), which the trigger does not output';
	expect(log).toEqual([[expect.stringContaining(line), { workflowId: '1', node: 'Trigger' }]]);
});
