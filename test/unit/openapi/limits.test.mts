import { getSection } from './describedFields.mts';
import { describeComparison, readDescription, readTable } from './description.mts';
import {
	describeFields,
	document,
	operations,
	resolve,
	schemas,
	spellSchema,
} from './documentFields.mts';
import { eventKinds } from '../../../sandbox/index.mts';
import { readBounds } from './notation.mts';

type Place = [schema: string, ...fields: string[]];

/** Where each row of the limits table is found in the document; a row that is not here fails. */
const places: Record<string, Place[]> = {
	'person log `source`, `type`': [
		['PersonLogCreate', 'source', 'type'],
		['PersonLog', 'source', 'type'],
	],
	'person log `idempotencyKey`, `name`': [['PersonLogCreate', 'idempotencyKey', 'name']],
	'person `name` (create)': [['PersonCreate', 'name']],
	'account `name` (create, update, response)': [
		['AccountCreate', 'name'],
		['AccountUpdate', 'name'],
		['Account', 'name'],
		['AccountSearchItem', 'name'],
	],
	'person `domain`, `phoneNumber`, `linkedinProfileUrl`; person log `phoneNumber`, `linkedinProfileUrl`':
		[
			['PersonCreate', 'domain', 'phoneNumber', 'linkedinProfileUrl'],
			['Person', 'domain', 'phoneNumber', 'linkedinProfileUrl'],
			['PersonLogCreate', 'phoneNumber', 'linkedinProfileUrl'],
		],
	'page `name`, `pageContext`': [
		['PageCreate', 'name', 'pageContext'],
		['PageUpdate', 'name', 'pageContext'],
	],
	'page link `path`': [['PageLinkUpdate', 'path']],
	'account `domain`': [
		['AccountCreate', 'domain'],
		['Account', 'domain'],
		['AccountSearchItem', 'domain'],
	],
};

const countRow = '`totalCount`, `audiencesCount`, `linkedPersonsCount`, `nextOffset`';
const queryRow = '`limit` and `offset` query parameters';

describeComparison(
	'the limits, kinds and states of the OpenAPI document and of the description',
	() => {
		const sections = readDescription();
		const limits = readTable(getSection(sections, 'Limits'));

		test('each row of the limits is known here, and none is left over', () => {
			expect(limits.map(({ Where }) => Where).sort()).toEqual(
				[...Object.keys(places), countRow, queryRow].sort(),
			);
		});

		test.each(Object.keys(places))('%s', (where) => {
			const constraint = limits.find(({ Where }) => Where === where)?.Constraint ?? '';
			for (const [schema, ...names] of places[where]) {
				for (const name of names) {
					const { minLength, maxLength, pattern } = describeFields(schema)[name];
					expect([schema, name, { minLength, maxLength, pattern }]).toEqual([
						schema,
						name,
						readBounds(constraint),
					]);
				}
			}
		});

		test('no other text has a bound', () => {
			const known = new Set(
				Object.values(places).flatMap((list) =>
					list.flatMap(([schema, ...names]) => names.map((name) => `${schema}.${name}`)),
				),
			);
			const ids = /^(personId|personLogId|accountId)$/;
			const bounded = Object.keys(schemas).flatMap((schema) =>
				Object.entries(describeFields(schema))
					.filter(([, { minLength, maxLength, pattern }]) => minLength ?? maxLength ?? pattern)
					.flatMap(([name]) => (ids.test(name) ? [] : `${schema}.${name}`)),
			);
			expect(bounded.sort()).toEqual([...known].sort());
		});

		test('counts and query numbers', () => {
			const constraintOf = (where: string) =>
				limits.find(({ Where }) => Where === where)?.Constraint;
			const names = [...countRow.matchAll(/`(\w+)`/g)].map(([, name]) => name);
			for (const [schema, { properties = {} }] of Object.entries(schemas)) {
				for (const name of names.filter((one) => one in properties)) {
					const type = spellSchema(properties[name]).replace(' | null', '');
					expect([schema, name, type]).toEqual([schema, name, constraintOf(countRow)]);
				}
			}
			for (const { id, query } of operations) {
				for (const name of ['limit', 'offset'].filter((one) => one in query)) {
					expect([id, name, `type ${query[name]}`]).toEqual([id, name, constraintOf(queryRow)]);
				}
			}
		});

		test('event kinds, in the document and in the code', () => {
			const described = readTable(getSection(sections, 'Events')).map((row) => row['Event kind']);
			expect(schemas.EventKind.enum).toEqual(described);
			expect(eventKinds).toEqual(described);
		});

		test.each([
			['Page', 'PageStatus'],
			['Audience', 'AudienceStatus'],
		])('the states of %s', (resource, schema) => {
			const states = readTable(getSection(sections, 'States and transitions'));
			const row = states.find(({ Resource }) => Resource === resource);
			const values = [...(row?.['Status values'] ?? '').matchAll(/`(\w+)`/g)].map(
				([, value]) => value,
			);
			expect(schemas[schema].enum).toEqual(values);
		});

		test.each(['personId', 'accountId', 'personLogId'])(
			'the pattern of %s, wherever it stands',
			(name) => {
				const text = getSection(sections, 'Resources and their fields');
				const pattern = new RegExp(`${name} \`([^\`]+)\``).exec(text)?.[1];
				expect(pattern).toMatch(/^\^/);
				// In the activity feed and in references no pattern is documented.
				const without = ['AccountActivity'];
				const found = Object.entries(schemas).filter(
					([schema, { properties }]) => properties?.[name] && !without.includes(schema),
				);
				expect(found.length).toBeGreaterThan(0);
				for (const [schema] of found) {
					expect([schema, describeFields(schema)[name].pattern]).toEqual([schema, pattern]);
				}
			},
		);

		test('the key', () => {
			const header = /request header `([\w-]+)`/.exec(getSection(sections, 'Authentication'))?.[1];
			expect(document.components.securitySchemes).toMatchObject({
				apiKey: { type: 'apiKey', in: 'header', name: header },
			});
			expect(document.security).toEqual([{ apiKey: [] }]);
		});

		test('the slip of the published schema is enforced nowhere', () => {
			const slip = '^accountlog_[a-z0-9]{26}$';
			const carriers = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
				Object.entries(properties).flatMap(([name, one]) =>
					resolve(one).pattern === slip ? `${schema}.${name}` : [],
				),
			);
			expect(carriers).toEqual(['PersonLog.personLogId']);
		});
	},
);
