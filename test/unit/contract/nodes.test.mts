import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import * as shapes from '../../../nodes/records/shapes.ts';
import { described } from '../../../tools/docs/descriptions.mts';
import { root } from '../../../tools/root.mts';

/* What descriptions.txt does not show: whether what it names is there. */

const nodes = described.slice(0, -1).map((node) => [node.name, JSON.stringify(node)] as const);

test.each(nodes)('%s has the searches that its lists call', (_, text) => {
	const called = [...text.matchAll(/"searchListMethod":"(\w+)"/g)].map(([, name]) => name);
	expect(called.length).toBeGreaterThan(1);
	const [searches = ''] = /\["listSearch"[^\]]*\]/.exec(text) ?? [];
	for (const name of called) expect(searches).toContain(`"${name}"`);
});

test.each(nodes)('the texts of %s for the workflow builder name what exists', (_, text) => {
	const hints = [...text.matchAll(/"(?:search|property|relation)Hint":"((?:[^"\\]|\\.)*)"/g)];
	expect(hints.length).toBeGreaterThan(2);
	// A name in the code is the only word with a capital letter in its middle.
	const named = hints.flatMap(([, hint]) => hint.match(/\b[a-z]+[A-Z]\w*/g) ?? []);
	const values = JSON.stringify([described, Object.values(shapes)]);
	for (const name of named.filter((each) => !['onError', 'continueErrorOutput'].includes(each)))
		expect(values).toContain(`"${name}"`);
});

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
		for (const category of codex.categories) expect(categories).toContain(category);
	},
);

test.each([
	['formSubmission', 'New Form Submission'],
	['changedPerson', 'New or Changed Person'],
])('the polling trigger has a label on the canvas for %s', (event, label) => {
	const { subtitle = '' } = new PageAudiencePollingTrigger().description;
	const expression = /^=\{\{ (.*) \}\}$/.exec(subtitle)?.[1];
	const evaluate = new Function('$parameter', `return ${expression}`) as (of: object) => unknown;
	expect(evaluate({ event })).toBe(label);
});
