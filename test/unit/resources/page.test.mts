import { create } from '../../../nodes/PageAudience/resources/page.ts';
import { readPage } from '../../../nodes/PageAudience/resources/pageFields.ts';
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
	test('is accepted from the output, without its read-only fields', () => {
		const sent = {
			name: 'n',
			headerActionId: null,
			actions: [{ actionId: 'a', url: 'u' }, 'odd'],
			metadata: { title: 't', keywords: [] },
			unknown: { kept: true },
		};
		const readOnly =
			'pageId tenantId title status audiencesCount createdAt updatedAt archivedAt deletedAt';
		const ofMetadata = 'ogImageUrl ogImageFileId twitterImageUrl twitterImageFileId';
		const add = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
		const received = {
			...sent,
			...add(readOnly),
			actions: [{ actionId: 'a', actionIndex: 0, url: 'u' }, 'odd'],
			metadata: { ...sent.metadata, ...add(ofMetadata) },
		};
		const before = structuredClone(received);
		expect(readPage(received)).toEqual(sent);
		expect(received).toEqual(before);
	});
});

describe('a new page', () => {
	const action = { purpose: 'p', buttonTitle: 'b', actionType: 'link', url: 'u' };
	const basics = { name: 'n', brandId: 'b', pageContext: 'c' };
	const request = (values: object) =>
		create.request(values, {
			json: {},
			zone: 'UTC',
			makeIdempotencyKey: () => 'unused',
			leftOut: [],
		});

	test('is made of its fields, and of its lists that are not empty or required', () => {
		const fields = { specifyBody: 'fields', ...basics, pageType: 'custom' };
		const given = { ...fields, jsonBody: { name: 'not read' }, actions: { action: [action] } };
		const body = {
			...{ ...basics, pageType: 'custom' },
			...{ actions: [action], actionCardWidgets: [], scripts: [] },
		};
		expect(request(given)).toEqual({ method: 'POST', path: '/pages', body });
		const more = { metadata: { title: 't' }, additionalFields: { headerActionId: 'a' } };
		expect(request({ ...given, ...more }).body).toEqual({
			...body,
			metadata: { title: 't' },
			headerActionId: 'a',
		});
	});

	test('is what JSON says, with the documented defaults', () => {
		const jsonBody = { ...basics, actions: [action], footerLinks: [], unknown: 1 };
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
			{ json: {}, zone: 'UTC', makeIdempotencyKey: () => 'unused', leftOut: [] },
		);

	test('is sent whole', () => {
		for (const audienceId of ['', 'audience_1']) {
			const target = { targetType: 'audience', audienceId };
			expect(request(target).body).toEqual({ target });
		}
	});

	test.each(['', ' '])('is refused with an audience and the type %j', (targetType) => {
		expect(() => request({ targetType, audienceId: 'audience_1' })).toThrow(
			'Update Fields > Target > Target Type is required with an audience',
		);
	});
});
