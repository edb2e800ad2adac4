import type { IDataObject } from 'n8n-workflow';
import { create } from '../../../nodes/PageAudience/resources/page.ts';
import { readPage } from '../../../nodes/PageAudience/resources/pageJson.ts';
import { pageLink } from '../../../nodes/PageAudience/resources/pageLink.ts';
import { buildParts } from '../../../nodes/PageAudience/resources/pageParts.ts';
import { buildUpdate, withoutEmpty } from '../../../nodes/PageAudience/resources/collections.ts';

const source = {
	...{ json: {}, zone: 'UTC', leftOut: [] },
	makeIdempotencyKey: () => 'unused',
	hint: () => undefined,
};

const action = { purpose: 'p', buttonTitle: '', actionType: 'link', url: '' };
const script = { name: '', description: '', content: '', enabled: false, injectionPoint: '' };
const noParts = { actions: [], actionCardWidgets: [], footerLinks: [], scripts: [] };

test('the parts of a page are sent unchanged, except for an empty action ID', () => {
	const image = { altText: 'a', url: '', fileId: '', assetId: 'x' };
	const widget = { type: '', title: 'w' };
	const link = { id: '', text: 'x', url: '' };
	const group = { id: '', title: 'g' };
	const given = {
		actions: { action: ['', 'a1'].map((actionId) => ({ actionId, ...action })) },
		actionCardWidgets: {
			widget: [[image, image], []].map((logo) => ({ ...widget, logos: { logo } })),
		},
		footerLinks: { group: [{ ...group, links: { link: [link] } }] },
		scripts: { script: [script] },
	};
	expect(buildParts(given)).toStrictEqual({
		actions: [action, { actionId: 'a1', ...action }],
		actionCardWidgets: [[{ image }, { image }], []].map((logos) => ({ ...widget, logos })),
		footerLinks: [{ ...group, links: [link] }],
		scripts: [script],
	});
	expect(buildParts({})).toEqual(noParts);
});

test.each([
	[noParts, {}],
	[{ metadata: { title: undefined } }, {}],
	[{ metadata: { title: '' }, scripts: [script] }, undefined],
])('of %j, what is not empty is sent', (given, sent = given) => {
	expect(withoutEmpty(given)).toEqual(sent);
});

describe('a page given as JSON', () => {
	const read = (json: object, sendAsIs = false) => {
		const told: string[] = [];
		const hint = (message: string) => told.push(message);
		return { page: readPage(json as IDataObject, { hint, sendAsIs }), told };
	};

	const sent = {
		name: 'n',
		headerActionId: null,
		actions: [
			{ actionId: 'a', buttonTitle: '', url: '/u' },
			{ actionId: 'b', url: '' },
		],
		actionCardWidgets: [{ type: 't', title: 'w', logos: [{ image: { altText: 'a', url: '/l' } }] }],
		footerLinks: [{ id: 'f', title: 'g', links: [{ id: 'l', text: 'x', url: '/x' }] }],
		scripts: [{ content: '`${a}`', enabled: false, injectionPoint: 'head', name: 's' }],
		metadata: { title: '', keywords: ['a, b', 'c'], canonicalUrl: 'https://x.example' },
	};

	test('is accepted from the output, without its read-only fields, which are told', () => {
		const add = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
		const received = {
			...{ ...sent, titel: 'Of the user' },
			...add('pageId tenantId title status audiencesCount'),
			...add('createdAt updatedAt archivedAt deletedAt'),
			actions: sent.actions.map((action, actionIndex) => ({ ...action, actionIndex })),
			metadata: {
				...sent.metadata,
				...add('ogImageUrl ogImageFileId twitterImageUrl twitterImageFileId'),
			},
		};
		const before = structuredClone(received);
		// First, what may be a change that was misspelled.
		const told =
			/^Fields that cannot be sent were removed from the JSON: titel, .*actions\.actionIndex.*metadata\.ogImageUrl/;
		expect(read(received)).toEqual({ page: sent, told: [expect.stringMatching(told)] });
		expect(received).toEqual(before);
		expect(read(sent)).toEqual({ page: sent, told: [] });
	});

	const image = { ogImageUrl: 'x' };

	test.each([
		[{ metadata: { title: 't', ...image } }, { metadata: { title: 't' } }, ''],
		// Nothing is sent for metadata that has nothing else.
		[{ pageId: 'p', name: 'n', metadata: image }, { name: 'n' }, 'pageId and '],
	])('%j, of which a part was read before, loses what only responses have', (json, page, more) => {
		const removed = `Fields that cannot be sent were removed from the JSON: ${more}metadata.ogImageUrl.`;
		expect(read(json)).toEqual({ page, told: [removed] });
	});

	const fields =
		'name, brandId, pageContext, pageType, headerActionId, actions, actionCardWidgets, footerLinks, scripts and metadata';
	const noField = `is not a field that can be sent. The fields are ${fields}`;
	const missing = 'which stands for a value that is missing: see where it comes from';
	const noScheme = 'which has no scheme and opens nothing. Write "https://x.example"';
	const actions = [{ url: '/a' }, { actionIndex: 1 }];
	const emptied = 'actions[1] has no field that can be sent';
	const keywords = ['a', 'undefined'];
	const canonicalUrl = 'x.example';

	test.each<[json: object, told: string]>([
		[{ page_context: 'a' }, `page_context ${noField}`],
		[{ actions }, emptied],
		[{ pageId: 'p', actions }, emptied],
		[{ name: '{{ name }}' }, `name is "{{ name }}", ${missing}`],
		[{ metadata: { canonicalUrl } }, `metadata.canonicalUrl is "x.example", ${noScheme}`],
		[{ metadata: { keywords } }, `metadata.keywords[1] is "undefined", ${missing}`],
	])('%j is refused, and goes out as it is', (json, told) => {
		const wayOut = 'To send it anyway, turn on Options > Send As Is';
		expect(() => read(json)).toThrow(new Error(`JSON > ${told}. ${wayOut}`));
		expect(read(json, true)).toEqual({ page: json, told: [] });
	});

	test.each([
		{ actions: [{ url: 'javascript:alert(1)' }] },
		{ actionCardWidgets: [{ logos: [{ image: { url: 'data:image/png;base64,a' } }] }] },
	])('%j is never sent', (json) => {
		for (const asIs of [false, true])
			expect(() => read(json, asIs)).toThrow(/^JSON > \S+\.url must not begin with \w+:, but/);
	});

	test('is for the service to judge within its fields', () => {
		const json = {
			...{ pageType: 'Inbound', name: 7, metadata: 'a', actions: [{ button_title: 'a' }, {}] },
			scripts: [{ enabled: 'maybe', other: 1 }],
		};
		expect(read(json)).toEqual({ page: json, told: [] });
	});
});

const basics = { name: 'n', brandId: 'b', pageContext: 'c' };
const createPage = (values: object) => create.request(values, source);
const [updateLink] = pageLink;
const target = (targetType: string, audienceId: string) =>
	updateLink.request(
		{ pageLinkId: 'link_1', updateFields: { target: { value: { targetType, audienceId } } } },
		source,
	);

describe('a new page', () => {
	test('is made of its fields, and of its lists that are not empty or required', () => {
		const fields = { specifyBody: 'fields', ...basics, actions: { action: [action] } };
		const body = { ...basics, actions: [action], actionCardWidgets: [], scripts: [] };
		const given = { ...fields, jsonBody: { name: 'not read' } };
		for (const more of [
			{ pageType: 'custom' },
			{ metadata: { title: 't' }, headerActionId: 'a' },
		]) {
			const request = createPage({ ...given, additionalFields: more });
			expect(request).toMatchObject({ method: 'POST', path: '/pages' });
			expect(request.body).toEqual({ ...body, pageType: 'inbound', ...more });
		}
	});

	test('is what JSON says, with the documented defaults', () => {
		const jsonBody = { ...basics, actions: [action], footerLinks: [] };
		const { body } = createPage({ specifyBody: 'json', jsonBody, name: 'not read' });
		const defaults = { actionCardWidgets: [], scripts: [], pageType: 'inbound' };
		expect(body).toEqual({ ...jsonBody, ...defaults });
	});
});

test('an update holds the fields to set and to clear, of any name', () => {
	const given = { a: 1, b: undefined, c: null, d: false, e: 0 };
	expect(buildUpdate(given, { b: '' })).toEqual({ ...given, b: '' });
	const odd = JSON.parse('{"__proto__":1,"constructor":2}') as object;
	expect(JSON.stringify(buildUpdate(odd))).toBe('{"__proto__":1,"constructor":2}');
	expect(buildUpdate({ a: 1 }, { toString: null })).toEqual({ a: 1, toString: null });
});

test.each([
	['page', ''],
	['audience', 'audience_1'],
])('the target %s of a page link is sent whole, with %j', (targetType, audienceId) => {
	expect(target(targetType, audienceId).body).toEqual({ target: { targetType, audienceId } });
});

const noAction = 'Actions is empty: add at least one action';
const nothing = 'The update changes nothing: add a field to Update Fields or JSON';
const both = 'is both set and cleared: remove it from one of the two';
const ofTarget = 'Update Fields > Target >';
const required = ['name', 'brandId', 'pageContext', 'actions'];

test.each<[told: string, write: () => unknown]>([
	[noAction, () => createPage({ specifyBody: 'fields', ...basics, additionalFields: {} })],
	[noAction, () => createPage({ specifyBody: 'json', jsonBody: { ...basics, actions: [] } })],
	[
		required.map((name) => `JSON > ${name} is required`).join('; '),
		() => createPage({ specifyBody: 'json', jsonBody: {} }),
	],
	[nothing, () => buildUpdate({})],
	[nothing, () => buildUpdate({ a: undefined })],
	[`A ${both}; C ${both}`, () => buildUpdate({ a: 1, b: 2, c: 3 }, { a: null, c: [] })],
	// Half of a target.
	[
		`${ofTarget} Target Type is required with an audience: enter one, for example "audience"`,
		() => target('', 'audience_1'),
	],
	[
		`${ofTarget} Audience ID is required with the target type "Audience": choose an audience`,
		() => target('Audience', ''),
	],
])('refuses: %s', (told, write) => {
	expect(write).toThrow(new Error(told));
});
