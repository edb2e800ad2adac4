import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { readPage } from '../../../nodes/PageAudience/resources/page/jsonBody.ts';
import { buildParts } from '../../../nodes/PageAudience/resources/page/buildParts.ts';
import { withoutEmpty } from '../../../nodes/PageAudience/resources/updateBody.ts';
import { buildUpdate } from '../../../nodes/PageAudience/resources/updateBody.ts';

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
		expect(withoutEmpty({ metadata: { title: '' }, scripts: [script] })).toEqual({
			metadata: { title: '' },
			scripts: [script],
		});
	});
});

describe('a page given as JSON', () => {
	test('is accepted from the output, without its read-only fields', () => {
		const sent = {
			name: 'n',
			headerActionId: null,
			actions: [{ actionId: 'a', url: 'u' }, 'odd'],
			metadata: { title: 't', keywords: [] },
			unknown: { kept: true },
		};
		const received = {
			...sent,
			pageId: 'p',
			tenantId: 't',
			title: 't',
			status: 'draft',
			audiencesCount: 0,
			createdAt: '',
			updatedAt: '',
			archivedAt: null,
			deletedAt: null,
			actions: [{ actionId: 'a', actionIndex: 0, url: 'u' }, 'odd'],
			metadata: {
				...sent.metadata,
				ogImageUrl: '',
				ogImageFileId: '',
				twitterImageUrl: '',
				twitterImageFileId: '',
			},
		};
		const before = structuredClone(received);
		expect(readPage(received)).toEqual(sent);
		expect(received).toEqual(before);
	});

	test.each([
		[{ name: '' }, 'JSON > name cannot be empty'],
		[{ name: null }, 'JSON > name must be text'],
		[{ pageContext: 7 }, 'JSON > pageContext must be text'],
		[{ brandId: {} }, 'JSON > brandId must be text'],
		[{ pageType: 'blog' }, 'JSON > pageType must be one of'],
		[{ pageType: ['inbound'] }, 'JSON > pageType must be one of'],
		[{ pageType: null }, 'JSON > pageType must be one of'],
		[{ pageType: '__proto__' }, 'JSON > pageType must be one of'],
		[{ actions: {} }, 'JSON > actions must be an array'],
		[{ actions: null }, 'JSON > actions must be an array'],
		[{ scripts: 'x' }, 'JSON > scripts must be an array'],
		[{ footerLinks: 0 }, 'JSON > footerLinks must be an array'],
	])('%j is rejected', (body, told) => {
		expect(() => readPage(body)).toThrow(ItemRefusedError);
		expect(() => readPage(body)).toThrow(told);
	});

	test('lists everything that is missing', () => {
		const required = ['name', 'brandId', 'pageContext', 'actions'];
		expect(() => readPage({ brandId: '' }, required)).toThrow(
			'JSON > name is required; JSON > pageContext is required; JSON > actions is required',
		);
	});
});

describe('an update', () => {
	test('holds the fields to set and to clear', () => {
		expect(buildUpdate({ a: 1, b: undefined, c: null, d: false, e: 0 }, { b: '' })).toEqual({
			a: 1,
			b: '',
			c: null,
			d: false,
			e: 0,
		});
	});
	test.each([[{}], [{ a: undefined }]])('%j changes nothing and is rejected', (given) => {
		expect(() => buildUpdate(given)).toThrow(ItemRefusedError);
	});
	test('is rejected when it sets and clears the same field', () => {
		expect(() => buildUpdate({ a: 1, b: 2, c: 3 }, { a: null, c: [] })).toThrow(
			/^A is both .*; C is both /,
		);
	});
	test('accepts any field name', () => {
		const given = JSON.parse('{"__proto__":1,"constructor":2}') as object;
		expect(JSON.stringify(buildUpdate(given))).toBe('{"__proto__":1,"constructor":2}');
		expect(buildUpdate({ a: 1 }, { b: null })).toEqual({ a: 1, b: null });
		expect(() => buildUpdate({ a: 1 }, { toString: null })).not.toThrow();
	});
});
