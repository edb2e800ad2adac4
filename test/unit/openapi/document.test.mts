import {
	getSection,
	readAnswerOnly,
	readBodySentence,
	readFieldTable,
	readQuery,
} from './describedFields.mts';
import { describeComparison, readDescription, readTable } from './description.mts';
import {
	describeFields,
	operations,
	resolve,
	schemas,
	shapeNames,
	spellSchema,
} from './documentFields.mts';
import type { Fields } from './notation.mts';

describeComparison('the OpenAPI document and the description of the API', () => {
	const sections = readDescription();
	const endpoints = readTable(getSection(sections, 'Endpoints'));
	const headingOf = (start: string): string => {
		const found = [...sections.keys()].find(
			(heading) => heading === start || heading.startsWith(`${start} (`),
		);
		if (found === undefined) throw new Error(`The description has no section '${start}'`);
		return found;
	};
	const textOf = (number: string): string => {
		const heading = [...sections.keys()].find((one) => one.startsWith(`${number}. `));
		return getSection(sections, heading ?? `${number}. …`);
	};
	const operationOf = ({ Method, Path }: Record<string, string>) => {
		const found = operations.find(({ method, path }) => method === Method && path === Path);
		if (!found) throw new Error(`The document has no ${Method} ${Path}`);
		return found;
	};

	test('the same endpoints, purposes and success statuses', () => {
		expect(
			operations
				.map(({ method, path, summary, statuses }) => [method, path, summary, ...statuses])
				.sort(),
		).toEqual(endpoints.map((row) => [row.Method, row.Path, row.Purpose, row.Success]).sort());
	});

	const answered = Object.keys(shapeNames).filter(
		(name) => !name.endsWith('Input') && name !== 'EventKind',
	);

	test.each(answered)('the fields of %s', (name) => {
		const heading = headingOf(shapeNames[name]);
		const described = readFieldTable(sections, heading);
		const remark = getSection(sections, heading);
		for (const field of Object.values(described)) {
			// "Which of these fields can be null is not stated": each may be.
			if (remark.includes('can be null is not stated')) field.type += ' | null';
			// Both sides of the API use it, and which members may be absent is not told.
			if (name === 'Metadata') field.required = false;
		}
		expect(describeFields(name)).toEqual(described);
		expect(schemas[name].additionalProperties).toBe(false);
	});

	const parts = Object.keys(shapeNames).filter((name) => name.endsWith('Input'));

	test.each(parts)('the members of %s: the same, without those of answers only', (name) => {
		const heading = headingOf(shapeNames[name]);
		const answerOnly = readAnswerOnly(sections, heading);
		const described = Object.entries(readFieldTable(sections, heading))
			.filter(([member]) => !answerOnly.includes(member))
			.map(([member, field]) => [member, { ...field, required: false }]);
		expect(describeFields(name)).toEqual(Object.fromEntries(described));
		expect(schemas[name].additionalProperties).toBe(false);
	});

	const describeBody = (number: string): Fields | undefined => {
		const text = textOf(number);
		if (readTable(text).length > 0) {
			const heading = [...sections.keys()].find((one) => one.startsWith(`${number}. `)) ?? '';
			return readFieldTable(sections, heading);
		}
		if (/an empty JSON object/.test(text)) return {};
		if (!/^- Body/m.test(text)) return undefined;
		const model = /same as in endpoint (\d+)/.exec(text)?.[1];
		return readBodySentence(text, model ? describeBody(model) : {});
	};

	const rows = endpoints.map((row) => ({ ...row, name: `${row.Method} ${row.Path}` }));

	test.each(rows)('the body of $name', (row: Record<string, string>) => {
		const { body } = operationOf(row);
		const schemaName = body?.$ref?.split('/').pop();
		expect(schemaName && describeFields(schemaName)).toEqual(describeBody(row['#']));
		if (schemaName) expect(schemas[schemaName].additionalProperties).toBe(false);
	});

	test.each(rows)('the parameters of $name', (row: Record<string, string>) => {
		const { query, pathParameters } = operationOf(row);
		expect(query).toEqual(readQuery(textOf(row['#'])));
		expect(pathParameters).toEqual([...row.Path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
	});

	test.each(rows)('the answer of $name', (row: Record<string, string>) => {
		const { answer } = operationOf(row);
		const text = textOf(row['#']);
		const list = /(Cursor|Offset) page of ([A-Z][a-z ]+?)\./.exec(text);
		if (list) {
			expect(spellSchema(resolve(answer).properties?.items ?? {})).toBe(`[${list[2]}]`);
			return;
		}
		const bare = /bare JSON array of ([A-Z][a-z ]+?) \(/.exec(text);
		const braces = /Response: `(\{.+\})`/.exec(text);
		const shape =
			/(?:Response: (?:201 with an? )?|[Rr]esponse is 201 with (?:the|an?) )([A-Z][a-z ]+?)(?: \(\w+\))?\./.exec(
				text,
			);
		expect(spellSchema(answer)).toBe(bare ? `[${bare[1]}]` : (braces?.[1] ?? shape?.[1]));
	});

	test('the shapes of paging', () => {
		const text = getSection(sections, 'Endpoints');
		const numbersIn = (pattern: RegExp): string[] => {
			const found = pattern.exec(text)?.[1];
			if (!found) throw new Error(`The common paging shapes do not tell ${pattern}`);
			return found.split(/, | and /);
		};
		const paged = numbersIn(/\*\*Cursor page\*\* \(endpoints ([\d, ]+)\)/);
		const optional = numbersIn(/optional on ([\d and,]+), and nullable/);
		const nullable = numbersIn(/and nullable on ([\d and,]+)\./);
		const countless = numbersIn(/`totalCount` is nullable on ([\d and,]+)\./);
		expect([...optional, ...nullable].sort()).toEqual([...paged].sort());
		for (const row of endpoints) {
			const { answer, query } = operationOf(row);
			const { properties = {}, required = [] } = resolve(answer);
			const number = row['#'];
			const isPaged = paged.includes(number);
			expect([number, 'nextCursor' in properties, 'cursor' in query]).toEqual([
				number,
				isPaged,
				isPaged,
			]);
			if (!isPaged) continue;
			const isOptional = optional.includes(number);
			const count = 'integer 0..9007199254740991';
			expect([
				number,
				spellSchema({ ...resolve(answer), properties: { ...properties, items: {} } }),
			]).toEqual([
				number,
				`{hasMore: boolean, items: , nextCursor: string${isOptional ? '' : ' | null'}, totalCount: ${count}${countless.includes(number) ? ' | null' : ''}}`,
			]);
			expect([number, ...[...required].sort()]).toEqual([
				number,
				'hasMore',
				'items',
				...(isOptional ? [] : ['nextCursor']),
				'totalCount',
			]);
		}
	});

	test('the shape of the offset page', () => {
		const text = getSection(sections, 'Endpoints');
		const [, number, names] =
			/\*\*Offset page\*\* \(endpoint (\d+)\).*?response is `\{(.+?)\}`/.exec(text) ?? [];
		const row = endpoints.find((one) => one['#'] === number) ?? {};
		const { properties = {}, required } = resolve(operationOf(row).answer);
		expect(Object.keys(properties)).toEqual(names.split(', '));
		expect(required).toEqual(names.split(', '));
		expect(text).toContain('`nextOffset` is an integer or null');
		expect(spellSchema(properties.nextOffset)).toBe('integer 0..9007199254740991 | null');
		expect(spellSchema(properties.totalCount)).toBe('integer 0..9007199254740991');
	});
});
