import type { INodeProperties } from 'n8n-workflow';
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
		const whole = { ...mergeOptions(found), displayOptions: undefined };
		const rows = listRows(whole, false, () => undefined);
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

/** The parameter with the options of all operations, by label. Some operations have more of them than others. */
function mergeOptions(found: INodeProperties[]): INodeProperties {
	const [first] = found;
	if (first.type !== 'collection') return first;
	const all = found.flatMap(({ options = [] }) => options as INodeProperties[]);
	const unique = new Map(all.map((option) => [option.name, option]));
	return {
		...first,
		options: [...unique.values()].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

const sharedText: Record<string, string> = {
	Options:
		'Every operation has Concurrency, Max Retries, Requests per Second and Timeout. The others belong to some operations. One that is true or false is on when you add it. Without it, only Escape Formulas is on',
	Actions:
		'Rows. Every field of a row is sent, an empty one as `""`. Only an empty Action ID is not sent',
	'Action Card Widgets':
		'Rows. Every field of a row is sent, an empty one as `""`. A logo is sent as `{"image": {…}}`',
	'Footer Links': 'Rows. Every field of a row is sent, an empty one as `""`',
	Scripts: 'Rows. Every field of a row is sent, an empty one as `""`',
	Metadata:
		'`metadata` of a page, `metadataOverride` of an audience. Only fields that you add and fill in are sent',
};
