import type { Page } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';
import { ada, readPage, openReceiver, sendForm, sendFormOf } from './visiting.mts';

const sandbox = openSandbox();
const receiver = openReceiver(sandbox);
let page: Page;
let path: string;
beforeEach(() => {
	page = sandbox.store.pages.all()[1];
	path = `/demo/${page.pageId}`;
});

const send = (fields: Record<string, string>) => sendForm(sandbox, path, fields);
const sendAndFollow = (fields: Record<string, string>) => sendFormOf(sandbox, page, fields);

test.each([
	[{ name: '' }, 'Enter your name'],
	[{ email: ' ' }, 'Enter your work email'],
	[{ email: 'ada' }, 'Enter a valid work email'],
	[{ email: 'ada@meridian' }, 'Enter a valid work email'],
	[{ name: 'x'.repeat(256) }, 'Shorten your name to 255 characters (now 256)'],
	[{ message: 'x'.repeat(2001) }, 'Shorten your message to 2000 characters'],
])('shows %j again without sending it', async (wrong, problem) => {
	const { status, data } = await send({ ...ada, ...wrong, utm_source: 'ads' });
	expect([status, data]).toEqual([422, expect.stringContaining(problem)]);
	expect(data).toContain('aria-invalid="true"');
	expect(data).toContain(`value="${ada.company}"`);
	expect(data).toContain('name="utm_source" value="ads"');
	expect(data).toContain('<title>Not sent: ');
	expect(receiver.bodies).toEqual([]);
	expect(sandbox.store.sessions.of(page.pageId)).toHaveLength(1);
});

test('escapes whatever the visitor typed', async () => {
	const hostile = `</textarea><script>alert("1")</script>'&`;
	const shown = await send({ name: hostile, email: hostile, company: hostile, message: hostile });
	expect(shown.data).not.toContain('<script');
	const escaped = '&lt;/textarea&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;';
	expect(shown.data).toContain(`value="${escaped}"`);
	expect(shown.data).toContain(`>${escaped}</textarea>`);
	const email = `"<script>alert(1)</script>"@b.co`.replaceAll(' ', '');
	const { text } = await sendAndFollow({ ...ada, email });
	expect(text).toContain('&quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;@b.co');
	expect(text).not.toContain('<script');
	expect(receiver.bodies).toMatchObject([{ data: { form: { email } } }]);
});

test('rejects other bodies, too long ones and other pages', async () => {
	const post = (to: string, body: string, type: string) =>
		call(sandbox, 'POST', to, { body, headers: { 'content-type': type } });
	const form = 'application/x-www-form-urlencoded';
	expect((await post(path, '{}', 'application/json')).status).toBe(415);
	expect((await post(path, 'x'.repeat(70_000), form)).status).toBe(413);
	expect((await post('/demo/page_none', 'name=x', form)).status).toBe(404);
	const { session } = await sendAndFollow(ada);
	const other = sandbox.store.pages.all()[0].pageId;
	const elsewhere = `/demo/${other}/thanks/${session.audienceSessionId}`;
	expect((await readPage(sandbox, elsewhere)).status).toBe(404);
});
