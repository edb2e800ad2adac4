import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../../tools/root.mts';

/** A text in the code that a person can be shown, with … for its values. */
export interface ShownText {
	text: string;
	place: string;
}

/** Members that describe a field, a node or an entry of a list: a person meets them where they are explained. */
const descriptions = [
	'action',
	'activationMessage',
	'description',
	'displayName',
	'executionsHelp',
	'header',
	'hint',
	'multipleValueButtonText',
	'name',
	'notice',
	'placeholder',
	'propertyHint',
	'relationHint',
	'searchHint',
	'with',
];

/** Members that say what to do about a message. The page says it in its second column. */
const advice = ['advice', 'whenEmpty'];

/** Members whose functions name records, so that changes to one of them run one after another. */
const keys = ['changes'];

/** Names and labels have capitals, as in "Update Fields". */
export function isSeveralWords(text: string): boolean {
	return /[^\s…>] [a-z]/.test(text);
}

/** All texts of the nodes and credentials that are shown, except names, descriptions and advice. */
export function listShownTexts(): ShownText[] {
	const files = globSync('{nodes,credentials}/**/*.ts', {
		cwd: root,
		// Names of fields, in lists.
		exclude: ['nodes/records/shapes.ts'],
	}).sort();
	const sources = files.map((file) =>
		ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true),
	);
	const codeWords = new Set(sources.flatMap(listTypeMembers));
	return sources.flatMap((source) =>
		listNodes(source).flatMap((node) => {
			const text = readText(node);
			if (text === undefined || codeWords.has(text) || isExempt(node)) return [];
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			return [{ text, place: `${source.fileName}:${line + 1}` }];
		}),
	);
}

function listNodes(node: ts.Node): ts.Node[] {
	const nodes: ts.Node[] = [];
	const visit = (each: ts.Node): void => {
		nodes.push(each);
		ts.forEachChild(each, visit);
	};
	visit(node);
	return nodes;
}

/** The members of types such as `'done' | 'in doubt'`: values between functions. */
function listTypeMembers(source: ts.SourceFile): string[] {
	return listNodes(source).flatMap((node) =>
		ts.isLiteralTypeNode(node) ? (readText(node.literal) ?? []) : [],
	);
}

function readText(node: ts.Node | undefined): string | undefined {
	if (!node) return undefined;
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

function isExempt(node: ts.Node): boolean {
	return isSecondText(node) || isMember(node, [...descriptions, ...advice]) || isKey(node);
}

/** The text behind another one, in an error's arguments or in a pair: it says what to do. */
function isSecondText(node: ts.Node): boolean {
	const { parent } = node;
	const list = ts.isNewExpression(parent)
		? [...(parent.arguments ?? [])]
		: ts.isArrayLiteralExpression(parent)
			? [...parent.elements]
			: [];
	const before = list.slice(
		0,
		Math.max(
			list.findIndex((each) => each === node),
			0,
		),
	);
	return before.some((each) => isSeveralWords(readText(each) ?? ''));
}

/** Whether a member of an object or class has the text, outside of any function in it. */
function isMember(node: ts.Node, names: string[]): boolean {
	for (let at = node.parent; at && !ts.isFunctionLike(at); at = at.parent)
		if (isNamed(at, names)) return true;
	return false;
}

function isKey(node: ts.Node): boolean {
	for (let at = node.parent; at; at = at.parent) if (isNamed(at, keys)) return true;
	return false;
}

function isNamed(node: ts.Node, names: string[]): boolean {
	const isMemberNode = ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node);
	return isMemberNode && names.includes(node.name.getText());
}
