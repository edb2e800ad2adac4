import type { Page } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';
import { readPage } from './visiting.mts';

const sandbox = openSandbox();
let page: Page;
beforeEach(() => {
	page = sandbox.store.pages.all()[0];
});

const read = (path: string) => readPage(sandbox, path);
const pathOf = ({ pageId }: Page) => `/demo/${pageId}`;

test('shows every page with its contents', async () => {
	for (const one of sandbox.store.pages) {
		const { status, headers, text } = await read(pathOf(one));
		expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
		expect(text).toContain(`<title>${one.title}</title>`);
		expect(text).toContain(`<h1>${one.name}</h1>`);
		for (const { buttonTitle } of one.actions) expect(text).toContain(`>${buttonTitle}</a>`);
		for (const { links } of one.footerLinks) {
			for (const link of links) expect(text).toContain(`>${link.text}</a>`);
		}
	}
});

test('shows the first published page by default', async () => {
	page.status = 'archived';
	const second = sandbox.store.pages.all()[1];
	expect((await read('/demo')).text).toContain(`<h1>${second.name}</h1>`);
	expect((await read(pathOf(page))).text).toContain('<mark>archived</mark>');
});

test('shows changes made through the API', async () => {
	const body = { name: 'Zoë & <Friends>', metadata: { themeColor: '#6A1B9A', description: 'New' } };
	await call(sandbox, 'PATCH', `/v0/pages/${page.pageId}`, { body });
	const { text } = await read(pathOf(page));
	expect(text).toContain('<h1>Zoë &amp; &lt;Friends&gt;</h1>');
	expect(text).toContain('--accent: #6A1B9A;');
	expect(text).toContain('<p>New</p>');
});

test('loads only files of the sandbox, and runs no script', async () => {
	page.scripts = [{ ...page.scripts[0], content: '<script>steal()</script>', enabled: true }];
	const { headers, text } = await read(pathOf(page));
	expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*style-src 'self'/);
	expect(text).not.toMatch(/<script|<img|<iframe|@import|url\(/);
	const loaded = [...text.matchAll(/<link[^>]+href="([^"]*)"/g)].map(([, href]) => href);
	expect(loaded).toEqual(['data:,', '/styles/pico.css', '/styles/demo.css']);
	for (const path of loaded.slice(1)) {
		const { status, text: style } = await read(path);
		expect([path, status]).toEqual([path, 200]);
		expect(style).not.toMatch(/@import|url\((?!["']?data:)/);
	}
});

test('escapes everything on a page', async () => {
	const hostile = `"'><script>alert(1)</script>&`;
	page.name = hostile;
	page.title = hostile;
	page.pageContext = hostile;
	page.metadata = { ogSiteName: hostile, themeColor: `red;}</style>${hostile}` };
	page.actions = [{ ...page.actions[0], buttonTitle: hostile, purpose: hostile, url: hostile }];
	page.actionCardWidgets = [
		{ ...page.actionCardWidgets[0], title: hostile, logos: page.actionCardWidgets[0].logos },
	];
	page.actionCardWidgets[0].logos[0].image.altText = hostile;
	page.footerLinks = [{ id: '', title: hostile, links: [{ id: '', text: hostile, url: hostile }] }];
	const { text } = await read(`${pathOf(page)}?utm_source=${encodeURIComponent(hostile)}`);
	expect(text).not.toContain('<script');
	expect(text).toContain('--accent: #1f4e79;');
	const escaped = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;';
	expect(text).toContain(`name="utm_source" value="${escaped}"`);
	expect(text.split(escaped).length).toBeGreaterThan(12);
});

test.each([
	['https://northwind.com/book?a=1&b=2', 'https://northwind.com/book?a=1&amp;b=2'],
	['https://pages.northwind.example/x', '#contact'],
	['javascript:alert(1)', '#contact'],
	['data:text/html,x', '#contact'],
	['', '#contact'],
])('links an action to %j with %j', async (url, href) => {
	page.actions[0].url = url;
	const { text } = await read(pathOf(page));
	expect(text).toContain(`<a role="button" href="${href}">Book a demo</a>`);
});

test.each(['#ffee00', '#fff', 'blue', '#1f4e7'])(
	'ignores the colour %s, which is illegible or invalid',
	async (themeColor) => {
		page.metadata = { themeColor };
		expect((await read(pathOf(page))).text).toContain('--accent: #1f4e79;');
	},
);

test.each(['/demo/page_none', '/demo/page_none/thanks/x', '/demo/a/b', '/demo/style.html'])(
	'shows a page for the unknown path %s',
	async (path) => {
		const { status, text } = await read(path);
		expect([status, text]).toEqual([404, expect.stringMatching(/<h1>Page not found<\/h1>/)]);
	},
);

test('does not count visits as API requests', async () => {
	await read('/demo');
	expect(sandbox.requests).toEqual([]);
});
