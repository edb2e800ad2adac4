import type { JsonObject } from '../../../tools/n8n/execution.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { deliver, WebhookTrigger } from '../../n8n/triggers.mts';

const setup = setUpN8n();
afterEach(async () => await setup.clear());

// How n8n hands over a body depends on its type.
test.each<[type: string, body: string, expected: JsonObject]>([
	['application/json', '[{"a":1},2]', { body: [{ a: 1 }, 2] }],
	['application/x-www-form-urlencoded', 'name=Zo%C3%AB&n=1', { body: { name: 'Zoë', n: '1' } }],
	['text/plain', 'hello', { body: 'hello' }],
	['text/plain', '', { body: '' }],
])('a body of the type %s is output as it was read: %j', async (type, body, expected) => {
	const trigger = await WebhookTrigger.createPublished(setup, { outputFormat: 'details' });
	const { url } = trigger.subscription;
	const sent = { 'content-type': type, 'x-signature': 'abc', cookie: 'session=secret' };
	expect(await deliver(`${url}&page=7`, body, sent)).toBe(200);
	const [run] = await trigger.runs(1);
	expect(run).toMatchObject({ mode: 'webhook', status: 'success' });
	const headers = expect.objectContaining({ 'x-signature': 'abc' }) as object;
	expect(run.items).toMatchObject([{ ...expected, rawBody: body, headers, query: { page: '7' } }]);
	const token = String(new URL(url).searchParams.get('token'));
	for (const secret of [token, 'session']) expect(JSON.stringify(run)).not.toContain(secret);
});

test('a multipart form is output with its fields, and not with where n8n keeps its files', async () => {
	const trigger = await WebhookTrigger.createPublished(setup);
	// n8n saves each part with a type as a file.
	const parts = [
		'name"\r\n\r\nZoë',
		'payload"\r\nContent-Type: application/json\r\n\r\n{"a":1}',
		'cv"; filename="cv.txt"\r\nContent-Type: text/plain\r\n\r\nhello',
	].map((part) => `--x\r\nContent-Disposition: form-data; name="${part}\r\n`);
	const body = `${parts.join('')}--x--\r\n`;
	const type = { 'content-type': 'multipart/form-data; boundary=x' };
	expect(await deliver(trigger.subscription.url, body, type)).toBe(200);
	const [{ items }] = await trigger.runs(1);
	expect(items).toEqual([{ name: 'Zoë' }]);
});
