import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import './sources.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

// n8n's rules for the panels. `n8n-node lint` is what n8n runs of itself, and tools/eslint.mjs has our own rules.

/** Not .ts, which n8n's lint of the whole repository would read too. */
const printed = '.cache/panels.mts';

const wrong = [
	{ displayName: 'a label', name: 'label', type: 'string', default: '' },
	{ displayName: 'Switch', name: 'switch', type: 'boolean', default: '', description: 'Turn on' },
];

/** What n8n's lint would have otherwise. */
const decided = [
	// A person who hands the tool to a model reads there how much the model gets.
	'node-param-description-wrong-for-return-all',
	// Format stands above the settings that depend on it.
	'Order: Byte Order Mark (BOM) | Delimiter | Escape Formulas | Format | Put Output File in Field',
	// It is for a person who reads the code, and some fields are put together there.
	'node-param-display-name-not-first-position',
];

await runToEnd(async () => {
	const problems = await lintPanels();
	for (const problem of problems) console.log(problem);
	return problems.length > 0 ? 1 : 0;
});

/**
 * n8n's lint reads literals, and fields come from functions. So this prints all fields as n8n loads them, as one literal,
 * and has n8n's rules read that.
 */
async function lintPanels(): Promise<string[]> {
	const { described } = await import('./docs/descriptions.mts');
	const text = print(described.map(({ properties }) => distinct(properties)));
	mkdirSync(join(root, '.cache'), { recursive: true });
	writeFileSync(join(root, printed), text);
	const problems = (await lintFields(text)).filter(
		(each) => !decided.some((part) => each.includes(part)),
	);
	// It would also pass if n8n's rules no longer recognized a field.
	const isBlind = (await lintFields(print(wrong))).length !== 3;
	return isBlind
		? [...problems, "n8n's lint does not find what is wrong in `wrong` of tools/lint.mts."]
		: problems;
}

/** Each field once, although the node has it again for each operation. */
function distinct(fields: object[]): object[] {
	const keyOf = (field: object) => JSON.stringify({ ...field, displayOptions: undefined });
	return [...new Map(fields.map((field) => [keyOf(field), field])).values()];
}

/** Names without quotes, because n8n's rules do not read quoted ones. */
function print(fields: unknown[]): string {
	const json = JSON.stringify(fields, undefined, '\t');
	return `export default ${json.replaceAll(/^(\t+)"(\w+)":/gm, '$1$2:')};\n`;
}

async function lintFields(text: string): Promise<string[]> {
	// n8n's rules for fields hold in this folder.
	const filePath = 'nodes/panels.ts';
	const [{ messages }] = await new ESLint({ cwd: root }).lintText(text, { filePath });
	return messages.map(({ line, message, ruleId }) => `${printed}:${line} ${message} (${ruleId})`);
}
