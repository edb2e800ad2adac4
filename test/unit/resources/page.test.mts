import type { IDataObject } from 'n8n-workflow';
import { create } from '../../../nodes/PageAudience/resources/page.ts';
import { readPage } from '../../../nodes/PageAudience/resources/pageJson.ts';
import { pageLink } from '../../../nodes/PageAudience/resources/pageLink.ts';
import { buildParts } from '../../../nodes/PageAudience/resources/pageParts.ts';
import { buildUpdate, withoutEmpty } from '../../../nodes/PageAudience/resources/collections.ts';

describe('the parts of a page', () => {
	const action = { purpose: 'p', buttonTitle: '', actionType: 'link', url: '' };
	const image = { altText: 'a', url: '', fileId: '', assetId: 'x' };
	const script = { name: '', description: '', content: '', enabled: false, injectionPoint: '' };

	test('are sent unchanged, except for an empty action ID', () => {
		expect(
			buildParts({
				actions: {
					action: [
						{ actionId: '', ...action },
						{ actionId: 'a1', ...action },
					],
				},
				actionCardWidgets: {
					widget: [
						{ type: 't', title: '', logos: { logo: [image, image] } },
						{ type: '', title: 'w', logos: { logo: [] } },
					],
				},
				footerLinks: {
					group: [{ id: '', title: 'g', links: { link: [{ id: '', text: 'x', url: '' }] } }],
				},
				scripts: { script: [script] },
			}),
		).toStrictEqual({
			actions: [action, { actionId: 'a1', ...action }],
			actionCardWidgets: [
				{ type: 't', title: '', logos: [{ image }, { image }] },
				{ type: '', title: 'w', logos: [] },
			],
			footerLinks: [{ id: '', title: 'g', links: [{ id: '', text: 'x', url: '' }] }],
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
	const read = (json: object) => {
		const told: string[] = [];
		const page = readPage(json as IDataObject, (message) => told.push(message));
		return { page, told };
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

	test('is read as the panel is', () => {
		expect(
			read({
				name: ' n\u200b',
				scripts: [{ enabled: 'false' }],
				metadata: { keywords: 'a, b', title: 7 },
			}).page,
		).toEqual({
			name: 'n',
			scripts: [{ enabled: false }],
			metadata: { keywords: ['a', 'b'], title: '7' },
		});
	});

	test.each<[json: object, told: string]>([
		[
			{ metadata: { ogImageUrl: 'x' } },
			'JSON > metadata has no field that can be sent, so nothing is left to change',
		],
		[
			{ metadata: {} },
			'JSON > metadata has no field that can be sent, so nothing is left to change',
		],
		[{ metadata: 'a' }, 'JSON > metadata must be an object, but is text: "a"'],
		[
			{ page_context: 'a' },
			'JSON > page_context is not a field that can be sent. Write "pageContext"',
		],
		[{ scirpts: [] }, 'JSON > scirpts is not a field that can be sent. Write "scripts"'],
		[
			{ metadata: { titel: 'a' } },
			'JSON > metadata.titel is not a field that can be sent. Write "title"',
		],
		[
			{ actions: [{ button_title: 'a' }] },
			'JSON > actions[0].button_title is not a field that can be sent. Write "buttonTitle"',
		],
		[
			{ scripts: [{ other: 1 }] },
			'JSON > scripts[0].other is not a field that can be sent. The fields here are content, description, enabled, injectionPoint and name',
		],
		[
			{ pageType: 'Inbound' },
			'JSON > pageType must be one of call_followup, custom, inbound, outbound, sales_deck, but is "Inbound"',
		],
		[{ pageType: '' }, 'JSON > pageType is blank: give it a value, or remove it'],
		[{ actions: null }, 'JSON > actions must be a list, but is null'],
		[{ actions: {} }, 'JSON > actions must be a list, but is an object'],
		[{ actions: '[{"url":"/a"}]' }, 'JSON > actions must be a list, but is text: "[{"url":"/a"}]"'],
		[{ actions: ['a'] }, 'JSON > actions[0] must be an object, but is text: "a"'],
		[{ actions: [{}] }, 'JSON > actions[0] has no field that can be sent: fill it in or remove it'],
		...[{ pageId: 'p' }, {}].map((whole): [object, string] => [
			{ ...whole, actions: [{ url: '/a' }, { actionIndex: 1 }] },
			'JSON > actions[1] has no field that can be sent: fill it in or remove it',
		]),
		[
			{ actions: [{ url: undefined }] },
			'JSON > actions[0].url is blank: give it a value, or remove it',
		],
		[{ actions: [{ url: null }] }, 'JSON > actions[0].url is blank: give it a value, or remove it'],
		[{ actions: [{ url: { a: 1 } }] }, 'JSON > actions[0].url must be text, but is an object'],
		[
			{ scripts: [{ enabled: 'maybe' }] },
			'JSON > scripts[0].enabled must be true or false, but is "maybe"',
		],
		[
			{ scripts: [{ enabled: '' }] },
			'JSON > scripts[0].enabled is blank: give it a value, or remove it',
		],
		[
			{ actionCardWidgets: [{ logos: [{ url: '/a' }] }] },
			'JSON > actionCardWidgets[0].logos[0].image must be an object, but is missing',
		],
		[
			{ name: '{{ name }}' },
			'JSON > name is "{{ name }}", which has a placeholder in place of a value that is missing: see where the value comes from',
		],
	])('%j is refused', (json, told) => {
		expect(() => read(json)).toThrow(new Error(told));
	});

	test.each([
		{ actions: [{ url: 'javascript:alert(1)' }] },
		{ actions: [{ url: 'www.example.com' }] },
		{ actionCardWidgets: [{ logos: [{ image: { url: 'data:image/png;base64,a' } }] }] },
		{ footerLinks: [{ links: [{ url: 'https://undefined/offer' }] }] },
		{ metadata: { canonicalUrl: 'x.example' } },
		{ metadata: { ogUrl: '#REF!' } },
		{ metadata: { keywords: ['a', 'undefined'] } },
		{ pageId: 'p', name: 'n', actions: [{ buttonTitle: '${title}' }] },
	])('%j is no more sent than from the panel', (json) => {
		expect(() => read(json)).toThrow(/^JSON > \S+\.\S+ /);
	});
});

describe('a new page', () => {
	const action = { purpose: 'p', buttonTitle: 'b', actionType: 'link', url: '/u' };
	const basics = { name: 'n', brandId: 'b', pageContext: 'c' };
	const request = (values: object) =>
		create.request(values, {
			json: {},
			zone: 'UTC',
			makeIdempotencyKey: () => 'unused',
			leftOut: [],
			hint: () => undefined,
		});

	test('is made of its fields, and of its lists that are not empty or required', () => {
		const fields = { specifyBody: 'fields', ...basics, pageType: 'custom' };
		const given = { ...fields, jsonBody: { name: 'not read' }, actions: { action: [action] } };
		const body = {
			...{ ...basics, pageType: 'custom' },
			...{ actions: [action], actionCardWidgets: [], scripts: [] },
		};
		expect(request(given)).toMatchObject({ method: 'POST', path: '/pages', body });
		const more = { metadata: { title: 't' }, additionalFields: { headerActionId: 'a' } };
		expect(request({ ...given, ...more }).body).toEqual({
			...body,
			metadata: { title: 't' },
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
		['fields', { specifyBody: 'fields', ...basics, pageType: 'custom' }],
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
		expect(() => buildUpdate(given)).toThrow('The update changes nothing: fill in a field');
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
	const [update] = pageLink.operations;
	const request = (value: object) =>
		update.request(
			{ pageLinkId: 'link_1', updateFields: { target: { value } }, fieldsToClear: [] },
			{
				json: {},
				zone: 'UTC',
				makeIdempotencyKey: () => 'unused',
				leftOut: [],
				hint: () => undefined,
			},
		);

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
