import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mts';
import { described } from './descriptions.mts';

// The messages of the credential test are in its description.
const panelTexts = new Set(listTexts(described.map(({ test: _, ...rest }) => rest)));

/** What people can read beside the panel, by file: errors, hints, log lines and responses, with … for values. */
export function findMessages(): Map<string, string[]> {
	const files = globSync('{nodes,credentials}/**/*.ts', { cwd: root }).sort();
	return new Map(
		files.map((file) => [file, readMessages(readFileSync(join(root, file), 'utf8'))] as const),
	);
}

/** Every sentence in a text of TypeScript that no panel shows. */
const readMessages = (code: string): string[] => new Code(code).messages;

class Code {
	readonly messages: string[] = [];

	/** Sentences that have a name, because several messages share them. */
	private readonly constants = new Map<string, string>();

	constructor(text: string) {
		const source = ts.createSourceFile('code.ts', text, ts.ScriptTarget.Latest, true);
		this.nameConstants(source);
		this.visit(source);
	}

	private nameConstants(source: ts.SourceFile): void {
		for (const statement of source.statements.filter(ts.isVariableStatement)) {
			for (const { name, initializer } of statement.declarationList.declarations) {
				const text = this.read(initializer);
				if (text !== undefined) this.constants.set(name.getText(), text);
			}
		}
	}

	private visit(node: ts.Node): void {
		if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isOfPanel(node)) return;
		const text = ts.isIdentifier(node) ? undefined : this.read(node);
		if (text !== undefined && isSentence(text) && !panelTexts.has(text)) this.messages.push(text);
		node.forEachChild((child) => {
			if (child !== findLabel(node)) this.visit(child);
		});
	}

	/** The text of a literal, or of a named one. */
	private read(node: ts.Node | undefined): string | undefined {
		if (node === undefined) return undefined;
		if (ts.isStringLiteralLike(node)) return node.text;
		if (ts.isIdentifier(node)) return this.constants.get(node.text);
		if (!ts.isTemplateExpression(node)) return undefined;
		const spans = node.templateSpans.map(
			({ expression, literal }) => (this.read(expression) ?? '…') + literal.text,
		);
		return node.head.text + spans.join('');
	}
}

/** The label of a field that is refused. */
function findLabel(node: ts.Node): ts.Node | undefined {
	const isRefusal = ts.isCallExpression(node) && node.expression.getText() === 'refuseItem';
	return isRefusal ? node.arguments[0] : undefined;
}

/** Hints for n8n's workflow builder, and what a cache calls its entries. */
function isOfPanel(node: ts.Node): boolean {
	if (ts.isPropertyAssignment(node))
		return ['builderHint', 'propertyHint', 'searchHint'].includes(node.name.getText());
	return ts.isCallExpression(node) && node.expression.getText().endsWith('.once');
}

/** Neither a label, a path, an expression, the names of fields nor a piece of a few words. */
function isSentence(text: string): boolean {
	const isOther = /^=|^\{\{|=>|===|^[A-Z]+ \//.test(text);
	if (isOther || (text.match(/[a-z][A-Z]/g) ?? []).length > 3) return false;
	const words = text.split(/[\s…]+/).filter((word) => /^[("]*[A-Za-z'-]{2,}/.test(word));
	const isPiece =
		words.length < 4 && !/^(… )?([A-Z]|(is|was|must|cannot|contains|needs) )/.test(text);
	return !isPiece && words.length < 60 && words.filter((word) => /^[a-z]/.test(word)).length > 1;
}

function listTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
