import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../../../tools/root.mts';

/*
 * What must hold: n8n runs for months, so nothing in the nodes grows with the work that was done. Everything that can
 * hold more and more is named here, with what bounds it. What is not named fails the test.
 */

const constant = 'constant';
const oneRun = 'lives as long as one run of the node, or one poll';
const inMemory = 'lives with the memory of a trigger, of which there are 10,000';

const bounds: Record<string, string> = {
	'nodes/PageAudience/resources/person.ts getAll': constant,
	'nodes/PageAudience/resources/webhookSubscription.ts getAll': constant,
	'nodes/PageAudiencePollingTrigger/findNew.ts nothing': constant,
	'nodes/PageAudiencePollingTrigger/reading/readList.ts noPage': constant,
	'nodes/PageAudiencePollingTrigger/state/history.ts noHistory': constant,
	'nodes/api/outcome.ts unconnected': constant,
	'nodes/api/outcome.ts unsendable': constant,
	'nodes/lists/listEntry.ts kindNames': constant,

	'nodes/PageAudiencePollingTrigger/memory/triggerMemory.ts memories': 'holds 10,000',
	'nodes/PageAudienceTrigger/delivery/duplicates.ts underWay':
		'forgets a delivery when it is answered',
	'nodes/PageAudienceTrigger/delivery/duplicates.ts windows':
		'forgets a trigger 24 hours after its last delivery, at the first delivery of another one',
	'nodes/PageAudienceTrigger/delivery/token.ts asked': 'holds 10,000',
	'nodes/PageAudienceTrigger/delivery/token.ts remembered': 'holds 10,000',
	'nodes/PageAudienceTrigger/log.ts lastWritten': 'holds 10,000',
	'nodes/PageAudienceTrigger/service/current.ts changes':
		'forgets a change after seven seconds, at the next change',
	'nodes/PageAudienceTrigger/uses.ts uses': 'holds 1,000',
	'nodes/runtime/keyLock.ts last': 'forgets a key when its work is done',
};

/** Of instances, whether they live long or not. */
const boundsOfFields: Record<string, string> = {
	'credentials/PageAudienceApi.credentials.ts PageAudienceApi.properties': constant,
	'nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts PageAudiencePollingTrigger.description':
		constant,
	'nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts PageAudienceTrigger.description': constant,

	'nodes/PageAudience/resources/personFinder.ts PersonFinder.created': oneRun,
	'nodes/PageAudience/run/messages.ts Hints.ofItems': oneRun,
	'nodes/PageAudience/run/messages.ts Hints.ofRun': oneRun,
	'nodes/PageAudience/run/memory.ts Memory.entries': oneRun,
	'nodes/PageAudience/run/sync.ts Sync.records': oneRun,
	'nodes/PageAudience/run/sync.ts Sync.states': oneRun,
	'nodes/PageAudiencePollingTrigger/reading/deadline.ts Deadline.clock': oneRun,
	'nodes/PageAudiencePollingTrigger/reading/deadline.ts Deadline.end': oneRun,
	'nodes/api/client.ts ApiClient.waiting': oneRun,
	'nodes/files/listFile.ts ListFile.pages': oneRun,
	'nodes/parameters/problem.ts ItemRefusedError.problems': oneRun,

	'nodes/PageAudiencePollingTrigger/memory/notices.ts Notices.outages': `${inMemory}: holds the lists that are chosen now`,
	'nodes/PageAudiencePollingTrigger/memory/notices.ts Notices.polled': `${inMemory}: one entry for each list that a person ever chose there`,
	'nodes/PageAudiencePollingTrigger/memory/notices.ts Notices.refusal': `${inMemory}: one refusal`,
	'nodes/PageAudiencePollingTrigger/memory/triggerMemory.ts TriggerMemory.leases': `${inMemory}: one lease`,
	'nodes/PageAudiencePollingTrigger/memory/triggerMemory.ts TriggerMemory.notices': inMemory,
	'nodes/PageAudiencePollingTrigger/memory/triggerMemory.ts TriggerMemory.turns': `${inMemory}: one scope`,
	'nodes/PageAudiencePollingTrigger/memory/triggerMemory.ts TriggerMemory.handOvers': `${inMemory}: holds the lists that are chosen now`,
	'nodes/PageAudienceTrigger/delivery/duplicates.ts Window.seen':
		'holds 1,000, and forgets after 24 hours',
};

const files = globSync(['nodes/**/*.ts', 'credentials/**/*.ts'], { cwd: root }).sort();
const sources = files.map((file) => parse(file, readFileSync(join(root, file), 'utf8')));
const growing = /^(set|add|push|unshift|splice|fill)$/;
const growingType = /\b(?:Weak)?(?:Map|Set)<|\bArray<|\bRecord<|\[\]|\[\w+: \w+\]/;

function parse(file: string, text: string): ts.SourceFile {
	return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** Whether the value is made to be filled: what a function makes each time it is called does not count. */
function holdsMore(value: ts.Node | undefined): boolean {
	if (!value) return false;
	const isEmpty =
		(ts.isArrayLiteralExpression(value) && value.elements.length === 0) ||
		(ts.isObjectLiteralExpression(value) && value.properties.length === 0);
	// Of a parameter, n8n copies the default.
	const isDefault =
		ts.isPropertyAssignment(value.parent) && value.parent.name.getText() === 'default';
	const isCalled = ts.isCallExpression(value.parent) && value.parent.expression === value;
	if (ts.isNewExpression(value) || (isEmpty && !isDefault)) return true;
	if (ts.isFunctionLike(value) && !isCalled && !ts.isParenthesizedExpression(value.parent))
		return false;
	return ts.forEachChild(value, (child) => holdsMore(child) || undefined) ?? false;
}

/** The module and the name of everything that a file can change of its own or of others. */
function listNames(source: ts.SourceFile): Map<string, string> {
	const names = new Map<string, string>();
	for (const statement of source.statements) {
		if (ts.isVariableStatement(statement))
			for (const { name } of statement.declarationList.declarations)
				names.set(name.getText(), `${source.fileName} ${name.getText()}`);
		if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
			names.set(statement.name!.text, `${source.fileName} ${statement.name!.text}`);
		const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
		if (!bindings || !ts.isNamedImports(bindings)) continue;
		const from = (statement.moduleSpecifier as ts.StringLiteral).text;
		if (!from.startsWith('.')) continue;
		for (const { name, propertyName } of bindings.elements)
			names.set(
				name.text,
				`${join(dirname(source.fileName), from)}.ts ${(propertyName ?? name).getText()}`,
			);
	}
	return names;
}

/** The variable that an expression changes a part of, however deep. */
function findChanged(node: ts.Node): ts.Identifier | undefined {
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { expression, name } = node.expression;
		if (growing.test(name.text)) return findRoot(expression);
		if (node.expression.getText() === 'Object.assign') return findRoot(node.arguments[0]);
	}
	const isAssignment =
		ts.isBinaryExpression(node) &&
		node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
		node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
	return isAssignment && !ts.isIdentifier(node.left) ? findRoot(node.left) : undefined;
}

function findRoot(node: ts.Node): ts.Identifier | undefined {
	if (ts.isIdentifier(node)) return node;
	const isPart =
		ts.isPropertyAccessExpression(node) ||
		ts.isElementAccessExpression(node) ||
		ts.isParenthesizedExpression(node) ||
		ts.isAsExpression(node) ||
		ts.isSatisfiesExpression(node) ||
		ts.isNonNullExpression(node);
	return isPart ? findRoot(node.expression) : undefined;
}

/** Variables of modules that hold something to fill, are no constants, or are changed by any file. */
function listLasting(all: ts.SourceFile[]): string[] {
	const found = new Set<string>();
	for (const source of all) {
		for (const statement of source.statements) {
			if (!ts.isVariableStatement(statement)) continue;
			const { declarations, flags } = statement.declarationList;
			for (const { name, initializer } of declarations)
				if (!(flags & ts.NodeFlags.Const) || holdsMore(initializer))
					found.add(`${source.fileName} ${name.getText()}`);
		}
		const names = listNames(source);
		const look = (node: ts.Node): void => {
			const name = names.get(findChanged(node)?.text ?? '');
			if (name !== undefined) found.add(name);
			ts.forEachChild(node, look);
		};
		look(source);
	}
	return [...found].sort();
}

/** Fields of classes that hold something to fill. */
function listFields(all: ts.SourceFile[]): string[] {
	const found: string[] = [];
	for (const source of all) {
		const look = (node: ts.Node): void => {
			if (ts.isClassLike(node))
				for (const member of node.members)
					if (
						ts.isPropertyDeclaration(member) &&
						(holdsMore(member.initializer) || growingType.test(member.type?.getText() ?? ''))
					)
						found.push(`${source.fileName} ${node.name?.text}.${member.name.getText()}`);
			ts.forEachChild(node, look);
		};
		look(source);
	}
	return found.sort();
}

test('every variable that lives as long as the process has a bound', () => {
	expect(listLasting(sources)).toEqual(Object.keys(bounds).sort());
});

test('every collection of an instance has a bound, or lives as long as one run', () => {
	expect(listFields(sources)).toEqual(Object.keys(boundsOfFields).sort());
});

test.each([
	['a map', 'const kept = new Map<string, string>();'],
	['a map of another type', 'const kept = new Map() as ReadonlyMap<string, string>;'],
	['a map in an object', 'const kept = { seen: new Map() };'],
	['a list in an object', 'const kept = { texts: [] as string[] };'],
	['a map in a closure', 'const kept = (() => { const seen = new Map(); return () => seen; })();'],
	['an instance', 'const kept = new Memory();'],
	['a property of a function', 'function kept() {} kept.seen = 1;'],
	[
		'a text in an object',
		"const kept = { text: 'a' }; export const note = () => { kept.text += 'b'; };",
	],
	['an index', 'const kept = { a: 1 }; export const note = (key: string) => { kept[key] = 1; };'],
	['a deep part', 'const kept = { a: make() }; export const note = () => void kept.a!.b.add(1);'],
	['a variable', 'let kept = 0;'],
])('%s that lives as long as the process is found', (_, text) => {
	expect(listLasting([parse('kept.ts', text)])).toEqual(['kept.ts kept']);
});

test.each([
	'seen = new Map();',
	'seen = [] as string[];',
	'seen: Record<string, string> = {};',
	'private readonly seen: Map<string, string>; constructor() { this.seen = make(); }',
	'seen?: { [name: string]: string };',
	'seen: string[];',
])('the collection of an instance is found: %s', (text) => {
	expect(listFields([parse('kept.ts', `class Kept { ${text} }`)])).toEqual(['kept.ts Kept.seen']);
});

test('what a function makes each time is not found', () => {
	const text = 'export const make = () => new Map(); export function list() { return []; }';
	expect(listLasting([parse('kept.ts', text)])).toEqual([]);
});
