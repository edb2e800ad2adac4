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

describe('the parts of a page', () => {
	const action = { purpose: 'p', buttonTitle: '', actionType: 'link', url: '' };
	const image = { altText: 'a', url: '', fileId: '', assetId: 'x' };
	const script = { name: '', description: '', content: '', enabled: false, injectionPoint: '' };

	test('are sent unchanged, except for an empty action ID', () => {
		const actions = {
			action: [
				{ actionId: '', ...action },
				{ actionId: 'a1', ...action },
			],
		};
		const logos = [{ logo: [image, image] }, { logo: [] }];
		const widget = logos.map((each) => ({ type: '', title: 'w', logos: each }));
		const link = { id: '', text: 'x', url: '' };
		const group = { id: '', title: 'g', links: { link: [link] } };
		const parts = { actions, actionCardWidgets: { widget }, footerLinks: { group: [group] } };
		expect(buildParts({ ...parts, scripts: { script: [script] } })).toStrictEqual({
			actions: [action, { actionId: 'a1', ...action }],
			actionCardWidgets: [[{ image }, { image }], []].map((sent) => ({
				...widget[0],
				logos: sent,
			})),
			footerLinks: [{ ...group, links: [link] }],
			scripts: [script],
		});
	});

	test('are empty lists by default', () => {
		const empty = { actions: [], actionCardWidgets: [], footerLinks: [], scripts: [] };
		expect(buildParts({})).toEqual(empty);
		expect(withoutEmpty(empty)).toEqual({});
		expect(withoutEmpty({ metadata: { title: undefined } })).toEqual({});
		const filled = { metadata: { title: '' }, scripts: [script] };
		expect(withoutEmpty(filled)).toEqual(filled);
	});
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
		const readOnly =
			'pageId tenantId title status audiencesCount createdAt updatedAt archivedAt deletedAt';
		const ofMetadata = 'ogImageUrl ogImageFileId twitterImageUrl twitterImageFileId';
		const add = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
		const received = {
			...sent,
			...add(readOnly),
			actions: sent.actions.map((action, actionIndex) => ({ ...action, actionIndex })),
			metadata: { ...sent.metadata, ...add(ofMetadata) },
			titel: 'Of the user',
		};
		const before = structuredClone(received);
		const { page, told } = read(received);
		expect(page).toEqual(sent);
		expect(received).toEqual(before);
		expect(told).toEqual([
			expect.stringMatching(
				// First, what may be a change that was misspelled.
				/^Fields that cannot be sent were removed from the JSON: titel, .*actions\.actionIndex.*metadata\.ogImageUrl/,
			),
		]);
		expect(read(sent)).toEqual({ page: sent, told: [] });
	});

	test('of which a part was read before, loses what only responses have', () => {
		const { page, told } = read({ metadata: { title: 't', ogImageUrl: 'x' } });
		expect(page).toEqual({ metadata: { title: 't' } });
		expect(told).toEqual([
			'Fields that cannot be sent were removed from the JSON: metadata.ogImageUrl.',
		]);
		// Nothing is sent for metadata that has nothing else.
		expect(read({ pageId: 'p', name: 'n', metadata: { ogImageUrl: 'x' } }).page).toEqual({
			name: 'n',
		});
	});

	const fields =
		'name, brandId, pageContext, pageType, headerActionId, actions, actionCardWidgets, footerLinks, scripts and metadata';
	const missing = 'which stands for a value that is missing: see where it comes from';
	const noScheme = 'which has no scheme and opens nothing. Write "https://x.example"';
	const actions = [{ url: '/a' }, { actionIndex: 1 }];

	test.each<[json: object, told: string]>([
		[
			{ page_context: 'a' },
			`page_context is not a field that can be sent. The fields are ${fields}`,
		],
		[{ actions }, 'actions[1] has no field that can be sent'],
		[{ pageId: 'p', actions }, 'actions[1] has no field that can be sent'],
		[{ name: '{{ name }}' }, `name is "{{ name }}", ${missing}`],
		[
			{ metadata: { canonicalUrl: 'x.example' } },
			`metadata.canonicalUrl is "x.example", ${noScheme}`,
		],
		[
			{ metadata: { keywords: ['a', 'undefined'] } },
			`metadata.keywords[1] is "undefined", ${missing}`,
		],
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

describe('a new page', () => {
	const action = { purpose: 'p', buttonTitle: 'b', actionType: 'link', url: '/u' };
	const basics = { name: 'n', brandId: 'b', pageContext: 'c' };
	const request = (values: object) => create.request(values, source);

	test('is made of its fields, and of its lists that are not empty or required', () => {
		const fields = { specifyBody: 'fields', ...basics, additionalFields: { pageType: 'custom' } };
		const given = { ...fields, jsonBody: { name: 'not read' }, actions: { action: [action] } };
		const body = {
			...{ ...basics, pageType: 'custom' },
			...{ actions: [action], actionCardWidgets: [], scripts: [] },
		};
		expect(request(given)).toMatchObject({ method: 'POST', path: '/pages', body });
		const metadata = { title: 't' };
		const additionalFields = { pageType: 'custom', metadata, headerActionId: 'a' };
		expect(request({ ...given, additionalFields }).body).toEqual({
			...body,
			metadata,
			headerActionId: 'a',
		});
	});

	test('is what JSON says, with the documented defaults', () => {
		const jsonBody = { ...basics, actions: [action], footerLinks: [] };
		const { body } = request({ specifyBody: 'json', jsonBody, name: 'not read' });
		const defaults = { actionCardWidgets: [], scripts: [], pageType: 'inbound' };
		expect(body).toEqual({ ...jsonBody, ...defaults });
	});

	test.each([
		['fields', { specifyBody: 'fields', ...basics, additionalFields: {} }],
		['JSON', { specifyBody: 'json', jsonBody: { ...basics, actions: [] } }],
	])('needs an action, in %s', (_, values) => {
		expect(() => request(values)).toThrow(new Error('Actions is empty: add at least one action'));
	});

	test('needs all that the API requires', () => {
		expect(() => request({ specifyBody: 'json', jsonBody: {} })).toThrow(
			new Error(
				'JSON > name is required; JSON > brandId is required; JSON > pageContext is required; JSON > actions is required',
			),
		);
	});
});

describe('an update', () => {
	test('holds the fields to set and to clear', () => {
		const given = { a: 1, b: undefined, c: null, d: false, e: 0 };
		expect(buildUpdate(given, { b: '' })).toEqual({ ...given, b: '' });
	});
	test.each([[{}], [{ a: undefined }]])('%j changes nothing and is rejected', (given) => {
		expect(() => buildUpdate(given)).toThrow(
			'The update changes nothing: add a field to Update Fields or JSON',
		);
	});
	test('is rejected when it sets and clears the same field', () => {
		expect(() => buildUpdate({ a: 1, b: 2, c: 3 }, { a: null, c: [] })).toThrow(
			/^A is both .*; C is both /,
		);
	});
	test('accepts any field name', () => {
		const given = JSON.parse('{"__proto__":1,"constructor":2}') as object;
		expect(JSON.stringify(buildUpdate(given))).toBe('{"__proto__":1,"constructor":2}');
		expect(() => buildUpdate({ a: 1 }, { toString: null })).not.toThrow();
	});
});

describe('the target of a page link', () => {
	const [update] = pageLink;
	const request = (value: object) =>
		update.request({ pageLinkId: 'link_1', updateFields: { target: { value } } }, source);

	test('is sent whole', () => {
		for (const target of [
			{ targetType: 'page', audienceId: '' },
			{ targetType: 'audience', audienceId: 'audience_1' },
		])
			expect(request(target).body).toEqual({ target });
	});

	test.each([
		[{ targetType: '', audienceId: 'audience_1' }, 'Target Type is required with an audience'],
		[{ targetType: 'Audience', audienceId: '' }, 'Audience ID is required with the target type'],
	])('%j is refused, because half of it is missing', (target, told) => {
		expect(() => request(target)).toThrow(`Update Fields > Target > ${told}`);
	});
});
