import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { register as registerCjs } from 'tsx/cjs/api';
import { register as registerEsm } from 'tsx/esm/api';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

registerCjs();
registerEsm();

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
];

// n8n's lint reads literals, and fields come from functions. So this prints all fields as n8n loads them, as one
// literal, and has n8n's rules read that.
await runToEnd(async () => {
	const { described } = await import('./docs/descriptions.mts');
	const text = print(described.map(({ properties }) => properties));
	mkdirSync(join(root, '.cache'), { recursive: true });
	writeFileSync(join(root, printed), text);
	const problems = (await lint(text)).filter(
		(each) => !decided.some((text) => each.includes(text)),
	);
	for (const problem of problems) console.log(problem);
	// It would also pass if n8n's rules no longer recognized a field.
	const isBlind = (await lint(print(wrong))).length !== 3;
	if (isBlind)
		console.log("n8n's lint does not find what is wrong in `wrong` of tools/lintPanels.mts.");
	return problems.length > 0 || isBlind ? 1 : 0;
});

/** Names without quotes, because n8n's rules do not read quoted ones. */
function print(fields: unknown[]): string {
	const json = JSON.stringify(fields, undefined, '\t');
	return `export default ${json.replaceAll(/^(\t+)"(\w+)":/gm, '$1$2:')};\n`;
}

async function lint(text: string): Promise<string[]> {
	// n8n's rules for fields hold in this folder.
	const filePath = 'nodes/panels.ts';
	const [{ messages }] = await new ESLint({ cwd: root }).lintText(text, { filePath });
	return messages.map(({ line, message, ruleId }) => `${printed}:${line} ${message} (${ruleId})`);
}
