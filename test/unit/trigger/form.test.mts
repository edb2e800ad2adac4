import { randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { readForm } from '../../../nodes/PageAudienceTrigger/delivery/form.ts';

/** What n8n read of a request. */
function makeContext(contentType: string, body: unknown) {
	const log: unknown[] = [];
	const context: object = {
		getRequestObject: () => ({ contentType, body }),
		getNode: () => ({ name: 'Trigger', webhookId: randomUUID() }),
		getWorkflow: () => ({ id: '1' }),
		getCredentials: async () => await Promise.resolve({ apiKey: 'the-api-key', baseUrl: '' }),
		logger: { warn: (...line: unknown[]) => log.push(line) },
	};
	return { context: context as IWebhookFunctions, log };
}

const [urlencoded, parts] = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const multipart = (data: IDataObject, files: IDataObject = {}) => ({ data, files });

test.each<[what: string, type: string, body: unknown, content: unknown]>([
	['a form', urlencoded, { a: '1', b: ' ' }, { a: '1', b: ' ' }],
	['fields', parts, multipart({ name: 'Zoë' }), { name: 'Zoë' }],
	['an empty form', parts, multipart({}), {}],
	['names that come twice', parts, multipart({ a: ['1', '2'] }), { a: ['1', '2'] }],
	['JSON parts', parts, multipart({ a: '{"b":[1]}', c: '[2]' }), { a: { b: [1] }, c: [2] }],
	['no JSON', parts, multipart({ d: 'null', e: '5', f: '{' }), { d: 'null', e: '5', f: '{' }],
	['prototype names', parts, multipart({ constructor: '1' }), { constructor: '1' }],
	['JSON', 'application/json', { a: 1 }, undefined],
	['text', parts, 'a=1', undefined],
	['nothing', urlencoded, undefined, undefined],
])('what a body has: %s', async (_, type, body, content) => {
	const { context, log } = makeContext(type, body);
	expect(await readForm(context)).toEqual(content && { content, files: [] });
	expect(log).toEqual([]);
});

// n8n saves each part with a content type of its own as a file.
test('files are only named, in the log', async () => {
	const files = {
		cv: { filepath: '/tmp/4', originalFilename: 'cv.txt', size: 5 },
		photos: [{ filepath: '/tmp/5', size: 7 }, { filepath: '/tmp/6' }],
	};
	const { context, log } = makeContext(parts, multipart({ a: '1' }, files));
	expect(await readForm(context)).toEqual({
		content: { a: '1' },
		files: [
			{ name: 'cv', size: 5 },
			{ name: 'photos', size: 7 },
			{ name: 'photos', size: undefined },
		],
	});
	const line = 'a delivery had files (cv, photos, photos), which the trigger does not output';
	expect(log).toEqual([[expect.stringContaining(line), { workflowId: '1', node: 'Trigger' }]]);
});
