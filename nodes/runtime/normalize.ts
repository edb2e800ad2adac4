/**
 * An ID, a key or an address without what nobody sees or has typed: pasted texts and exported files contain zero-width
 * spaces, byte order marks and non-breaking spaces.
 */
export function removeInvisible(text: string): string {
	return text
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Zs}/gu, ' ')
		.trim();
}

/** The same for a name, whose letters and emoji may need a joiner or a mark of direction between them. */
export function tidyName(text: string): string {
	return text
		.replace(/[\u200b\u2060\ufeff]/g, '')
		.replace(/\p{Zs}/gu, ' ')
		.replace(/^[\s\p{Cf}]+/u, '')
		.replace(/(?<![\s\p{Cf}])[\s\p{Cf}]+$/u, '');
}
