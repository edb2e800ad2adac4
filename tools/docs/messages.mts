import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mts';
import { described } from './descriptions.mts';

/** What people can read beside the panel: errors, hints, log lines and responses. */
export interface Message {
	/** With … for values. */
	text: string;
	/** What the node says beside it. */
	advice?: string;
}

// The messages of the credential test are in its description.
const panelTexts = new Set(listTexts(described.map(({ test: _, ...rest }) => rest)));

/** The messages of each file. */
export function findMessages(): Map<string, Message[]> {
	const files = globSync('{nodes,credentials}/**/*.ts', { cwd: root }).sort();
	return new Map(
		files.map((file) => [file, readMessages(readFileSync(join(root, file), 'utf8'))] as const),
	);
}

/** Every sentence in a text of TypeScript that no panel shows. */
export const readMessages = (code: string): Message[] => new Code(code).messages;

class Code {
	readonly messages: Message[] = [];

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
		const parts = listParts(node);
		const pair = parts.findIndex((part, i) => this.isMessage(part) && this.isMessage(parts[i + 1]));
		const [message, advice] = pair < 0 ? [] : parts.slice(pair);
		if (message) this.messages.push({ text: this.read(message) ?? '', advice: this.read(advice) });
		else if (!ts.isIdentifier(node) && this.isMessage(node))
			this.messages.push({ text: this.read(node) ?? '' });
		const visit = (child: ts.Node) => {
			if (child !== message && child !== advice) this.visit(child);
		};
		if (parts.length > 0) parts.forEach(visit);
		else node.forEachChild(visit);
	}

	private isMessage(node: ts.Node | undefined): boolean {
		const text = this.read(node);
		return text !== undefined && isSentence(text) && !panelTexts.has(text);
	}

	/** The text of a literal, a named one, or the `description` of an error's options. */
	private read(node: ts.Node | undefined): string | undefined {
		if (node === undefined) return undefined;
		if (ts.isStringLiteralLike(node)) return node.text;
		if (ts.isIdentifier(node)) return this.constants.get(node.text);
		if (ts.isObjectLiteralExpression(node)) {
			const [only, ...others] = node.properties;
			const isDescription = only?.name?.getText() === 'description' && others.length === 0;
			return isDescription && ts.isPropertyAssignment(only)
				? this.read(only.initializer)
				: undefined;
		}
		if (!ts.isTemplateExpression(node)) return undefined;
		const spans = node.templateSpans.map(
			({ expression, literal }) => (this.read(expression) ?? '…') + literal.text,
		);
		return node.head.text + spans.join('');
	}
}

/** What may hold a message and the advice behind it. */
function listParts(node: ts.Node): readonly ts.Node[] {
	if (ts.isArrayLiteralExpression(node)) return node.elements;
	if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return [];
	// Its first argument is the label of a field.
	const isRefusal = node.expression.getText() === 'refuseItem';
	return (node.arguments ?? []).slice(isRefusal ? 1 : 0);
}

/** Hints for n8n's workflow builder, and what a cache calls its entries. */
function isOfPanel(node: ts.Node): boolean {
	if (ts.isPropertyAssignment(node))
		return ['builderHint', 'propertyHint', 'searchHint'].includes(node.name.getText());
	return ts.isCallExpression(node) && node.expression.getText().endsWith('.once');
}

/** Neither a label, a path, an expression, the names of fields nor a piece of a few words. */
function isSentence(text: string): boolean {
	const isOther = /^=|\{\{|=>|===|^[A-Z]+ \//.test(text);
	if (isOther || (text.match(/[a-z][A-Z]/g) ?? []).length > 3) return false;
	const words = text.split(/[\s…]+/).filter((word) => /^[("]*[A-Za-z'-]{2,}/.test(word));
	const isPiece =
		words.length < 4 && !/^(… )?([A-Z]|(is|was|must|cannot|contains|needs) )/.test(text);
	return !isPiece && words.filter((word) => /^[a-z]/.test(word)).length > 1;
}

function listTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
