/** Lower-case ASCII with hyphens: `Zoë Müller` becomes `zoe-muller`. */
export const slugify = (text: string): string =>
	text
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.replaceAll('ø', 'o')
		.replaceAll('ı', 'i')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '');
