import type { IDataObject } from 'n8n-workflow';
import * as shapes from '../../../nodes/records/shapes.ts';
import { addFields, audienceShape, pageShape } from '../../../nodes/records/shapes.ts';
import {
	type OutputChoice,
	type OutputGroup,
	shapeRecord,
	valuesToAdd,
} from '../../../nodes/PageAudience/operation/output.ts';
import { at } from '../../../nodes/api/request.ts';

/** A record as it is output. */
const choose = (record: IDataObject, output: OutputGroup, choice: Partial<OutputChoice>) =>
	shapeRecord(record, output, { options: {}, ...choice });

/** A record of fields in another order, each with a value of its own. */
function makeRecord(fields: readonly string[]): IDataObject {
	const whole = Object.fromEntries([...fields].reverse().map((name) => [name, `${name}!`]));
	return { ...whole, publishedVersion: { versionNumber: 7, status: 'x' }, unknown: 1 };
}

const simplifying = Object.values(shapes).filter(
	(each) => typeof each === 'object' && each.simplified !== undefined,
) as shapes.RecordShape[];

test.each(simplifying)(
	'a simplified record has at most ten fields, in the order of the panel: $simplified',
	(shape) => {
		const { simplified = [] } = shape;
		expect(simplified.length).toBeLessThanOrEqual(10);
		const values = simplified.map((name) => [
			name,
			name === 'publishedVersionNumber' ? 7 : `${name}!`,
		]);
		for (const choice of [{ simplify: true }, { output: 'simplified' as const }])
			expect(Object.entries(choose(makeRecord(shape.fields), { shape }, choice))).toEqual(values);
	},
);

test('a simplified record has what the node adds', () => {
	const output = { shape: pageShape, adds: { added: { type: 'number' as const } } };
	const record = { pageId: 'p', added: 1 };
	expect(choose(record, output, { simplify: true })).toMatchObject(record);
});

const record = makeRecord(pageShape.fields);
const ofPage = (choice: Partial<OutputChoice>) => choose(record, { shape: pageShape }, choice);

test.each<Partial<OutputChoice>>([
	...[{ simplify: false }, {}, { output: 'raw' as const }],
	{ simplify: false, options: { outputFields: [] } },
])('a record is unchanged with %j', (choice) => {
	expect(ofPage(choice)).toBe(record);
});

test.each<[fields: string[], choice: Partial<OutputChoice>]>([
	[['title'], { output: 'selectedFields', outputFields: ['title', 'pageId'] }],
	[[], { output: 'selectedFields' }],
	// Whatever Simplify says.
	[['title', 'metadata'], { simplify: true, options: { outputFields: ['title', 'metadata'] } }],
	[['title', 'metadata'], { simplify: false, options: { outputFields: ['title', 'metadata'] } }],
])('a record has the ID and %j, with %j', (fields, choice) => {
	const chosen = ['pageId', ...fields].map((name) => [name, `${name}!`]);
	expect(ofPage(choice)).toEqual(Object.fromEntries(chosen));
});

test('a simplified record has ten fields, without the choice of any', () => {
	expect(Object.keys(ofPage({ simplify: true, options: { outputFields: [] } }))).toHaveLength(10);
});

test('a simplified record keeps null, false, 0 and objects, and adds nothing', () => {
	const record = { audienceId: 0, pageId: false, status: null, customName: { a: 1 } };
	const simple = choose(record, { shape: audienceShape }, { simplify: true });
	expect(simple).toMatchObject(record);
	const others = Object.entries(simple).filter(([name]) => !(name in record));
	expect(others.filter(([, value]) => value !== null)).toEqual([]);
});

test.each([null, undefined, 'text', [1], { versionNumber: null }])(
	'a published version of %j has no number',
	(publishedVersion) => {
		const record = { audienceId: 'a', publishedVersion } as IDataObject;
		expect(choose(record, { shape: audienceShape }, { simplify: true })).toMatchObject({
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
	const request = { method: 'GET', ...at.person`/persons` } as const;
	expect(Object.entries(valuesToAdd({ output }, { given: 'x' }, request))).toEqual([
		['fromValue', 'x'],
		['fromRequest', 'GET'],
	]);
	expect(valuesToAdd({}, { given: 'x' }, request)).toEqual({});
});
