import { readMembers, readTable, type Row } from './description.mts';
import { readBounds, spellType, type Fields } from './notation.mts';

type Sections = Map<string, string>;

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

export function getSection(sections: Sections, heading: string): string {
	const text = sections.get(heading);
	if (text === undefined) throw new Error(`The description has no section '${heading}'`);
	return text;
}

const isRequired = (remark: string | undefined): boolean =>
	remark === undefined || !/^(optional|no|not marked required)$/.test(remark.trim());

/** Which values an enum has: those in its own remark, or "as in Page". */
function readValues(sections: Sections, name: string, remark: string): string[] {
	if (!remark.includes('values as in Page')) return quoted(remark);
	const row = readTable(getSection(sections, 'Page')).find(({ Field }) => Field === name);
	return quoted(row?.Notes ?? '');
}

function readRow(sections: Sections, row: Row, name: string, formerPattern?: string) {
	const remark = row.Notes ?? row.Constraints ?? '';
	const isEnum = row.Type === 'enum';
	const type = spellType(row.Type, isEnum ? readValues(sections, name, remark) : []);
	const range = type === 'integer' ? (/\d+\.\.\d+/.exec(remark)?.[0] ?? '') : '';
	return {
		type: `${type} ${range}`.trim(),
		required: isRequired(row.Required ?? row.Notes),
		...readBounds(remark, formerPattern),
	};
}

/** The fields of a table; a row may name several. */
export function readFieldTable(sections: Sections, heading: string): Fields {
	const fields: Fields = {};
	let formerPattern: string | undefined;
	for (const row of readTable(getSection(sections, heading))) {
		for (const name of row.Field.split(', ')) {
			if (row.Type.startsWith('same names as ')) {
				fields[name] = readFieldTable(sections, row.Type.slice('same names as '.length))[name];
				continue;
			}
			fields[name] = readRow(sections, row, name, formerPattern);
			formerPattern = fields[name].pattern ?? formerPattern;
		}
	}
	return fields;
}

/** The fields that stand in answers only, in any of the two wordings. */
export const readAnswerOnly = (sections: Sections, heading: string): string[] =>
	readTable(getSection(sections, heading))
		.filter(({ Type }) => /in responses only/.test(Type))
		.flatMap(({ Field }) => Field.split(', '));

/** The fields of a body that is told in a sentence; those without a type of their own are like in `model`. */
export function readBodySentence(text: string, model: Fields = {}): Fields {
	const listed = /^- Body.*?Fields: (.+?)\. /m.exec(text) ?? /^- Body[^:]*: (.+)\.$/m.exec(text);
	if (!listed) throw new Error(`No body is told in: ${text}`);
	const fields: Fields = {};
	for (const { name, detail = '' } of readMembers(listed[1])) {
		const words = detail.split(', ').filter((word) => !/^(required|optional|canonical)/.test(word));
		const type = words.filter((word) => !/^(min|length) /.test(word)).join(', ');
		const like = model[name];
		const isLike = like !== undefined && !/null/.test(detail);
		fields[name] = {
			...(isLike ? { ...like, default: undefined } : { type: spellType(type) }),
			required: /\brequired\b/.test(detail) && !isLike,
			...(isLike ? {} : readBounds(detail)),
		};
	}
	return fields;
}

/** Names and types of the query parameters; those of paging have theirs in the common shapes. */
export function readQuery(text: string): Record<string, string> {
	const listed = /Query: (.+?)\.(?=\s|$)/m.exec(text)?.[1] ?? '';
	const paging: Record<string, string> = { cursor: 'string', limit: 'number', offset: 'number' };
	return Object.fromEntries(
		readMembers(listed).map(({ name, detail = '' }) => {
			const type = /date-time/.test(detail) ? 'string date-time' : detail.replace(/;.*$/, '');
			return [name, paging[name] ?? type];
		}),
	);
}
