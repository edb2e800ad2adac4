import { pairs } from './pairs.mts';
import { withStop, writeTable } from './markdown.mts';
import { listRows } from './parameterRows.mts';

/** What several operations share, described once below all of them. */
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
				['Parameter', 'Name', 'Takes', 'What'],
				rows.map(({ label, name, takes, description }) => [
					label,
					`\`${name}\``,
					takes,
					description,
				]),
			),
		].join('\n\n');
	});
	return ['## Parameters that several operations share', ...parts].join('\n\n');
}

const sharedText: Record<string, string> = {
	Options: 'Every operation has these; Page Size only lists that come in pages',
	Actions:
		'Rows. Every sub-field is sent as it stands, an empty one as `""`; only an empty Action ID is left out',
	'Action Card Widgets':
		'Rows. Every sub-field is sent as it stands, an empty one as `""`. A logo is sent as `{"image": {…}}`',
	'Footer Links': 'Rows. Every sub-field is sent as it stands, an empty one as `""`',
	Scripts: 'Rows. Every sub-field is sent as it stands, an empty one as `""`',
	Metadata:
		'`metadata` of a page, `metadataOverride` of an audience: only the members that were added and hold a value are sent',
};
