import {
	addFields,
	shapeRecord,
	valuesToAdd,
} from '../../../nodes/PageAudience/operation/output.ts';
import { path } from '../../../nodes/api/request.ts';
import type { OutputGroup } from '../../../nodes/PageAudience/operation/operation.ts';
import {
	activityShape,
	audienceShape,
	pageShape,
	sessionShape,
	versionShape,
} from '../../../nodes/records/shapes.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

/** The promised fields in order. */
const promised: Array<
	[
		string,
		(
			| typeof pageShape
			| typeof audienceShape
			| typeof versionShape
			| typeof sessionShape
			| typeof activityShape
		),
		string,
	]
> = [
	[
		'page',
		pageShape,
		'pageId name title status pageType brandId headerActionId audiencesCount createdAt updatedAt',
	],
	[
		'audience',
		audienceShape,
		'audienceId pageId effectiveName customName status actionUrlOverride prospectId publishedVersionNumber createdAt archivedAt',
	],
	[
		'version',
		versionShape,
		'versionId audienceId versionNumber status isNewPageAgent supplementaryContext createdAt publishedAt archivedAt queueDurationMs',
	],
	[
		'session',
		sessionShape,
		'audienceSessionId audienceId pageId formSubmissionId formSubmissionEmail formSubmissionPhone hasConversion timeSpentSeconds sessionStartedAt utmSource',
	],
	[
		'activity',
		activityShape,
		'activityId activityType accountId personId personName source type payload createdAt updatedAt',
	],
];

describe.each(promised)('a simplified %s', (_, shape, fields) => {
	const whole = Object.fromEntries([...shape.fields].reverse().map((name) => [name, `${name}!`]));
	const record = { ...whole, publishedVersion: { versionNumber: 7, status: 'x' }, unknown: 1 };

	test('has the promised fields in order', () => {
		const simple = shapeRecord(record, { shape }, { simplify: true });
		expect(Object.keys(simple)).toEqual(fields.split(' '));
		for (const [name, value] of Object.entries(simple)) {
			expect(value).toBe(name === 'publishedVersionNumber' ? 7 : `${name}!`);
		}
		const adds = { added: { type: 'number' } };
		expect(shapeRecord({ ...record, added: 1 }, { shape, adds }, { simplify: true })).toEqual({
			...simple,
			added: 1,
		});
	});

	test('is the unchanged record without Simplify', () => {
		expect(shapeRecord(record, { shape }, { simplify: false })).toBe(record);
		expect(shapeRecord(record, { shape }, {})).toBe(record);
	});

	test('has the requested fields and the ID as a tool', () => {
		expect(shapeRecord(record, { shape }, { output: 'raw' })).toBe(record);
		expect(Object.keys(shapeRecord(record, { shape }, { output: 'simplified' }))).toEqual(
			fields.split(' '),
		);
		const last = shape.fields[shape.fields.length - 1];
		expect(
			shapeRecord(record, { shape }, { output: 'selectedFields', outputFields: [last, shape.id] }),
		).toEqual({ [shape.id]: `${shape.id}!`, [last]: whole[last] });
		expect(shapeRecord(record, { shape }, { output: 'selectedFields' })).toEqual({
			[shape.id]: `${shape.id}!`,
		});
	});

	test('keeps null, false, 0 and objects, and adds nothing', () => {
		const values = [null, false, 0, { a: 1 }];
		for (const value of values) {
			const field = shape.fields.find((name) => fields.split(' ').includes(name)) ?? '';
			expect(shapeRecord({ [field]: value }, { shape }, { simplify: true })[field]).toBe(value);
		}
		const nothing = shapeRecord({}, { shape }, { simplify: true });
		expect(Object.values(nothing).filter((value) => value !== null)).toEqual([]);
	});
});

test.each([null, undefined, {}, 'text', [1], { versionNumber: null }])(
	'a published version of %j has no number',
	(publishedVersion) => {
		const record = { audienceId: 'a', publishedVersion } as Parameters<typeof shapeRecord>[0];
		expect(shapeRecord(record, { shape: audienceShape }, { simplify: true })).toMatchObject({
			publishedVersionNumber: null,
		});
	},
);

test('fields that the node adds never replace fields of the API', () => {
	expect(addFields({ a: 1 }, { a: 2, b: 3 })).toEqual({ a: 1, b: 3 });
	expect(addFields({ a: null }, { a: 2 })).toEqual({ a: null });
});

test('adds what its functions make of the values and the request, where they make something', () => {
	const output: OutputGroup = {
		adds: {
			fromValue: { type: 'string', value: (values) => Reflect.get(values, 'given') as string },
			fromRequest: { type: 'string', value: (_, { method }) => method },
			nothing: { type: 'string', value: () => undefined },
			elsewhere: { type: 'string' },
		},
	};
	const request = { method: 'GET', path: path`/persons` } as const;
	expect(Object.entries(valuesToAdd({ output }, { given: 'x' }, request))).toEqual([
		['fromValue', 'x'],
		['fromRequest', 'GET'],
	]);
	expect(valuesToAdd({}, { given: 'x' }, request)).toEqual({});
});

test('Simplify is on everywhere', () => {
	const offered = resources.flatMap(({ option, operations }) =>
		operations.flatMap((operation) => {
			const simplify = operation.properties.find(({ name }) => name === 'simplify');
			return simplify ? [[`${option.value}.${operation.option.value}`, simplify.default]] : [];
		}),
	);
	expect(Object.fromEntries(offered)).toEqual({
		'account.getActivity': true,
		'audience.archive': true,
		'audience.getAll': true,
		'audience.getVersions': true,
		'audience.restore': true,
		'audience.update': true,
		'audienceSession.getAll': true,
		'audienceSession.getByFormSubmission': true,
		'page.create': true,
		'page.update': true,
	});
});
