import type { Part } from './delivery';

/** A field that names a page by its ID: `pageId`, `page_id`, `page.id`, `data[page][id]`, `pageIds`, or `id` in `page`. */
const pageField =
	/page[\][._-]{0,2}ids?[\][]{0,3}"\s*:\s*(?:\[\s*)?(?:\d|"\s*[^"\s])|"pages?"\s*:\s*(?:\[\s*)?\{[^{}]*"id"\s*:\s*(?:\d|"\s*[^"\s])/i;

/**
 * The parts that name one of the pages, or no page. Where a body names a page is not documented, so the ID of a chosen
 * page counts wherever it is.
 * @param pageIds empty for all pages
 */
export function keepPages(parts: Part[], pageIds: string[]): Part[] {
	if (pageIds.length === 0) return parts;
	const ids = pageIds.map((id) => id.trim().toLowerCase());
	return parts.filter(({ content }) => {
		const text = JSON.stringify(content);
		const lower = text.toLowerCase();
		return ids.some((id) => hasWord(lower, id)) || !pageField.test(text);
	});
}

/** Whether a text contains a word as a whole. An escape of a URL may precede it, as in `%2Fpage_1`. */
function hasWord(text: string, word: string): boolean {
	for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
		const preceding = text.slice(Math.max(0, at - 3), at).replace(/%[\da-f]{2}$/, '');
		const isWhole =
			!/[\w-]$/.test(preceding) &&
			!/^[\w-]/.test(text.slice(at + word.length, at + word.length + 1));
		if (isWhole) return true;
	}
	return false;
}
