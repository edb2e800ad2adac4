/** One field, in the words of the description, wherever it was read. */
export interface Field {
	/** e.g. `string | null`, `[Page action]`, `{path: string}`, `integer 0..9`, `enum a|b`. */
	type: string;
	required: boolean;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	default?: string;
}

export type Fields = Record<string, Field>;

const spellMembers = (names: string): string =>
	`{${names
		.split(', ')
		.map((name) => `${name}: string`)
		.join(', ')}}`;

/** A type in the description's words, brought to one spelling. `values` are those of an enum. */
export function spellType(text: string, values: string[] = []): string {
	const plain = text
		.replace(/ \((?:the )?sample[^)]*\)/g, '')
		.replace(/ \((?:optional in requests|in responses only)\)/, '')
		.replace(/;.*$/, '')
		.trim();
	const logos = /^array of objects, each with `(\w+)` = \{(.+)\}, all strings$/.exec(plain);
	if (logos) return `[{${logos[1]}: ${spellMembers(logos[2])}}]`;
	const links = /^array of \{([^:]+)\}, all strings$/.exec(plain);
	if (links) return `[${spellMembers(links[1])}]`;
	const array = /^array of (.+?)s?( \| null)?$/.exec(plain);
	if (array) return `[${array[1]}]${array[2] ?? ''}`;
	if (plain === 'enum') return `enum ${values.join('|')}`;
	return plain
		.replace(/^object (?=\{)/, '')
		.replace(/^(string|boolean|number)s$/, '$1')
		.replace(/^string timestamps$/, 'string')
		.replace(/^string(,| \()\s*URI\)?$/, 'string uri')
		.replace(/ or null$/, ' | null')
		.replace(/^Metadata without.*$/, 'Metadata')
		.replace(/^integer, /, 'integer ');
}

/** The bounds in a remark; `formerPattern` is what "same pattern" refers to. */
export function readBounds(
	remark: string,
	formerPattern?: string,
): Pick<Field, 'minLength' | 'maxLength' | 'pattern' | 'default'> {
	const range = /length (\d+)-(\d+)/.exec(remark);
	const least = range?.[1] ?? /min(?: length)? (\d+)/.exec(remark)?.[1];
	const isSame = /same (kebab-case )?pattern/.test(remark);
	const pattern = isSame ? formerPattern : /pattern `([^`]+)`/.exec(remark)?.[1];
	const preset = /default `(\w+)`/.exec(remark)?.[1];
	return {
		...(least ? { minLength: Number(least) } : {}),
		...(range ? { maxLength: Number(range[2]) } : {}),
		...(pattern ? { pattern } : {}),
		...(preset ? { default: preset } : {}),
	};
}
