import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import * as shapes from '../../../nodes/records/shapes.ts';
import { described } from '../../../tools/docs/descriptions.mts';
import { root } from '../../../tools/root.mts';

/* What descriptions.txt does not show: whether what it names is there. */

const nodes = described.slice(0, -1).map((node) => ({
	...{ name: String(node.name), text: JSON.stringify(node), properties: node.properties },
	subtitle: String(node.subtitle),
}));

test.each(nodes)('$name has the searches that its lists call', ({ text }) => {
	const called = [...text.matchAll(/"searchListMethod":"(\w+)"/g)].map(([, name]) => name);
	expect(called.length).toBeGreaterThan(1);
	const [searches = ''] = /\["listSearch"[^\]]*\]/.exec(text) ?? [];
	for (const name of called) expect(searches).toContain(`"${name}"`);
});

test.each(nodes)('the texts of $name for the workflow builder name what exists', ({ text }) => {
	const hints = [...text.matchAll(/"(?:search|property|relation)Hint":"((?:[^"\\]|\\.)*)"/g)];
	expect(hints.length).toBeGreaterThan(2);
	// A name in the code is the only word with a capital letter in its middle.
	const named = hints.flatMap(([, hint]) => hint.match(/\b[a-z]+[A-Z]\w*/g) ?? []);
	const values = JSON.stringify([described, Object.values(shapes)]);
	for (const name of named.filter((each) => !['onError', 'continueErrorOutput'].includes(each)))
		expect(values).toContain(`"${name}"`);
});

/** The lists of parameters that stand beside each other: of the node, of each collection, of each kind of row. */
function listLevels(properties: INodeProperties[]): INodeProperties[][] {
	const inner = properties.flatMap(({ type, options = [] }) => {
		if (type === 'collection') return listLevels(options as INodeProperties[]);
		return options.flatMap((option) => ('values' in option ? listLevels(option.values) : []));
	});
	return [properties, ...inner];
}

// n8n before 2.41 runs no operation of a node in which one parameter depends on an unknown name.
test.each(nodes)(
	'$name shows parameters by others of their level, or by a path from the root',
	({ properties }) => {
		for (const level of listLevels(properties)) {
			const names = level.map(({ name }) => name);
			const used = level.flatMap(({ displayOptions: { show, hide } = {} }) =>
				Object.keys({ ...show, ...hide }),
			);
			expect(names).toEqual(expect.arrayContaining(used.filter((name) => !/^[/@]/.test(name))));
		}
	},
);

// The categories of n8n's "Codex files", which its review of community nodes accepts. n8n itself loads any.
const categories = [
	...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
	...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
];

test.each(['PageAudience', 'PageAudienceTrigger', 'PageAudiencePollingTrigger'])(
	'the categories of %s are categories of n8n',
	(name) => {
		const path = join(root, 'nodes', name, `${name}.node.json`);
		const codex = JSON.parse(readFileSync(path, 'utf8')) as { categories: string[] };
		expect(codex.categories).toContain('Marketing & Content');
		expect(categories).toEqual(expect.arrayContaining(codex.categories));
	},
);

test.each([
	['formSubmission', 'New Form Submission'],
	['changedPerson', 'New or Changed Person'],
])('the polling trigger has a label on the canvas for %s', (event, label) => {
	const expression = /^=\{\{ (.*) \}\}$/.exec(nodes[2].subtitle)?.[1];
	const evaluate = new Function('$parameter', `return ${expression}`) as (of: object) => unknown;
	expect(evaluate({ event })).toBe(label);
});
