import { isObject } from '../../api/request';
import { Yielder } from '../../runtime/eventLoop';
import type { Part } from './parts';

/**
 * The parts that name one of the pages, or no page. Where a body names a page is not documented. So an ID of a chosen
 * page counts wherever it stands, and a part names another page only in a field that services call so.
 * @param pageIds empty for all pages
 */
export async function keepPages(parts: Part[], pageIds: string[]): Promise<Part[]> {
	if (pageIds.length === 0) return parts;
	const chosen = new Set(pageIds.map(simplifyId));
	const yielder = new Yielder();
	const kept: Part[] = [];
	for (const part of parts) {
		await yielder.yieldToEventLoop();
		if (await concernsOneOf(chosen, part.content, yielder)) kept.push(part);
	}
	return kept;
}

/** Words as in IDs, and the escapes that separate them in a URL. */
const words = /%[\da-f]{2}|[\w-]+/g;

/** How many words and fields are looked at before others may run. */
const stepsAtOnce = 1_000;

/** In time in proportion to the content, and without recursion: it may be nested deeper than the stack. */
async function concernsOneOf(
	chosen: ReadonlySet<string>,
	content: unknown,
	yielder: Yielder,
): Promise<boolean> {
	let namesAnother = false;
	let steps = 0;
	const open = [{ value: content, key: '', parent: '' }];
	for (let member = open.pop(); member; member = open.pop()) {
		if (++steps % stepsAtOnce === 0) await yielder.yieldToEventLoop();
		const { value, key, parent } = member;
		const name = readName(key, parent);
		const id = readId(value);
		// Some bodies have objects by ID.
		for (const text of [id, simplifyId(key)].filter(Boolean)) {
			if (chosen.has(text)) return true;
			for (const [word] of text.matchAll(words)) {
				if (chosen.has(word)) return true;
				if (++steps % stepsAtOnce === 0) await yielder.yieldToEventLoop();
			}
		}
		namesAnother ||= id !== '' && idNames.includes(name);
		if (Array.isArray(value)) {
			for (const each of value as unknown[]) open.push({ value: each, key: '', parent: name });
		} else if (isObject(value)) {
			for (const [inner, each] of Object.entries(value))
				open.push({ value: each, key: inner, parent: name });
		}
	}
	return !namesAnother;
}

/** Names of the field that holds the ID of a page. */
const idNames = ['pageid', 'pageids'];

/** Only the end of a name is looked at. */
const longestName = 100;

/**
 * A name without its spelling, such as `pageid` for `page_id`, `page.id`, `data[page][id]` and `id` in `page`. Numbers are
 * places in a list, and n8n has the attributes of XML in `$`. An element of a list has the list's name.
 */
function readName(key: string, parent: string): string {
	if (key === '') return parent;
	const names = key
		.slice(-longestName)
		.split(/[.[\]]+/)
		.map(simplifyName);
	const [owner, name = owner] = [parent, ...names].filter((each) => /[^\d$]/.test(each)).slice(-2);
	const isOfPage = owner === 'page' || owner === 'pages';
	return isOfPage && (name === 'id' || name === 'ids') ? 'pageid' : (name ?? '');
}

function simplifyName(name: string): string {
	return name.replace(/[-_]/g, '').toLowerCase();
}

function simplifyId(id: string): string {
	return id.trim().toLowerCase();
}

/** A number that JSON.parse may have rounded is no ID: it could be that of a chosen page. */
function readId(value: unknown): string {
	if (typeof value === 'string') return simplifyId(value);
	return Number.isSafeInteger(value) ? String(value) : '';
}
