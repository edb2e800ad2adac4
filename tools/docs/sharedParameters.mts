import { pairs } from './pairs.mts';
import { withStop, writeTable } from './markdown.mts';
import { listRows } from './parameterRows.mts';

/** Parameters that several operations share, described once at the end of the page. */
export const shared: Record<string, string> = {
	options: 'Options',
	actions: 'Actions',
	actionCardWidgets: 'Action Card Widgets',
	footerLinks: 'Footer Links',
	scripts: 'Scripts',
	metadata: 'Metadata',
	metadataOverride: 'Metadata',
};

/** The parameters that several operations have, each once. */
export function describeShared(): string {
	const all = pairs.flatMap(({ operation }) => operation.properties);
	const parts = [...new Set(Object.values(shared))].map((title) => {
		const names = Object.keys(shared).filter((name) => shared[name] === title);
		const found = all.filter(({ name }) => name === names[0]);
		// Lists have one option more.
		const [widest] = found.sort((a, b) => (b.options?.length ?? 0) - (a.options?.length ?? 0));
		const rows = listRows({ ...widest, displayOptions: undefined }, false, () => undefined);
		return [
			`### ${title}`,
			withStop(sharedText[title]),
			writeTable(
				['Parameter', 'Name', 'Accepts', 'Description'],
				rows.map(({ label, name, takes, description }) => [
					label,
					`\`${name}\``,
					takes,
					description,
				]),
			),
		].join('\n\n');
	});
	return ['## Shared parameters', ...parts].join('\n\n');
}

const sharedText: Record<string, string> = {
	Options:
		'Every operation has these options. Only lists that the API returns in pages have Page Size',
	Actions:
		'Rows. Every field of a row is sent, an empty one as `""`. Only an empty Action ID is not sent',
	'Action Card Widgets':
		'Rows. Every field of a row is sent, an empty one as `""`. A logo is sent as `{"image": {…}}`',
	'Footer Links': 'Rows. Every field of a row is sent, an empty one as `""`',
	Scripts: 'Rows. Every field of a row is sent, an empty one as `""`',
	Metadata:
		'`metadata` of a page, `metadataOverride` of an audience. Only fields that you add and fill in are sent',
};
