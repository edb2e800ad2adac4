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
	'nodes/PageAudience/resources/audienceSession/matching.ts kindsOfEvents': constant,
	'nodes/api/verdict.ts unconnectedCodes': constant,
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
	'nodes/PageAudience/resources/person/personIndex.ts PersonIndex.people': oneRun,
	'nodes/PageAudience/resources/person/personList.ts PersonList.samples': oneRun,
	'nodes/PageAudience/resources/person/personSearch.ts PersonSearch.proofs': oneRun,
	'nodes/PageAudience/resources/person/personSearch.ts PersonSearch.seen': oneRun,
	'nodes/PageAudience/run/hints.ts Hints.kinds': oneRun,
	'nodes/PageAudience/run/synced/synced.ts Synced.shown': oneRun,
	'nodes/PageAudience/run/synced/writtenRecords.ts WrittenRecords.doubtful': oneRun,
	'nodes/PageAudience/run/synced/writtenRecords.ts WrittenRecords.obsolete': oneRun,
	'nodes/PageAudience/run/synced/writtenRecords.ts WrittenRecords.openGroups': oneRun,
	'nodes/PageAudience/run/synced/writtenRecords.ts WrittenRecords.written': oneRun,
	'nodes/api/paginate.ts ListReader.asked': oneRun,
	'nodes/api/paginate.ts ListReader.known': oneRun,
	'nodes/api/paginate.ts ListReader.records': oneRun,
	'nodes/api/paginateParallel.ts ReadAhead.pages': oneRun,
	'nodes/api/paginateParallel.ts ReadAhead.underWay': oneRun,
	'nodes/files/listFile.ts ListFile.pages': oneRun,

	'nodes/PageAudiencePollingTrigger/memory/notices.ts Notices.outages': `${inMemory}: holds the lists that are chosen now`,
	'nodes/PageAudiencePollingTrigger/memory/notices.ts Notices.polled': `${inMemory}: one entry for each list that a person ever chose there`,
	'nodes/PageAudiencePollingTrigger/memory/triggerMemory.ts TriggerMemory.handOvers': `${inMemory}: holds the lists that are chosen now`,
	'nodes/PageAudienceTrigger/delivery/duplicates.ts Window.seen':
		'holds 1,000, and forgets after 24 hours',
};

const files = globSync(['nodes/**/*.ts', 'credentials/**/*.ts'], { cwd: root }).sort();
const collections = /^(Map|Set|WeakMap|WeakSet|Array|RecentMap)$/;
const growing = /^(set|add|push|unshift|splice|fill)$/;

function parse(file: string): ts.SourceFile {
	const text = readFileSync(join(root, file), 'utf8');
	return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

const isCollection = (value?: ts.Expression): boolean =>
	value !== undefined &&
	((ts.isNewExpression(value) && collections.test(value.expression.getText())) ||
		(ts.isArrayLiteralExpression(value) && value.elements.length === 0));

/** The module and the name of everything that a file can change of its own or of others. */
function listNames(source: ts.SourceFile): Map<string, string> {
	const names = new Map<string, string>();
	for (const statement of source.statements) {
		if (ts.isVariableStatement(statement))
			for (const { name } of statement.declarationList.declarations)
				names.set(name.getText(), `${source.fileName} ${name.getText()}`);
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

/** The variable that an expression changes a part of. */
function findChanged(node: ts.Node): ts.Expression | undefined {
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { expression, name } = node.expression;
		if (growing.test(name.text)) return expression;
		if (node.expression.getText() === 'Object.assign') return node.arguments[0];
	}
	const isAssignment =
		ts.isBinaryExpression(node) &&
		node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
		node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
	if (!isAssignment) return undefined;
	const { left } = node;
	return ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left)
		? left.expression
		: undefined;
}

/** Variables of modules that hold a collection, are no constants, or are changed by any file. */
function listLasting(): string[] {
	const found = new Set<string>();
	for (const source of files.map(parse)) {
		for (const statement of source.statements) {
			if (!ts.isVariableStatement(statement)) continue;
			const { declarations, flags } = statement.declarationList;
			for (const { name, initializer } of declarations)
				if (!(flags & ts.NodeFlags.Const) || isCollection(initializer))
					found.add(`${source.fileName} ${name.getText()}`);
		}
		const names = listNames(source);
		const look = (node: ts.Node): void => {
			const changed = findChanged(node);
			const name = changed && ts.isIdentifier(changed) ? names.get(changed.text) : undefined;
			if (name !== undefined) found.add(name);
			ts.forEachChild(node, look);
		};
		look(source);
	}
	return [...found].sort();
}

/** Fields of classes that hold a collection. */
function listFields(): string[] {
	const found: string[] = [];
	for (const source of files.map(parse)) {
		const look = (node: ts.Node): void => {
			if (ts.isClassLike(node))
				for (const member of node.members)
					if (ts.isPropertyDeclaration(member) && isCollection(member.initializer))
						found.push(`${source.fileName} ${node.name?.text}.${member.name.getText()}`);
			ts.forEachChild(node, look);
		};
		look(source);
	}
	return found.sort();
}

test('every variable that lives as long as the process has a bound', () => {
	expect(listLasting()).toEqual(Object.keys(bounds).sort());
});

test('every collection of an instance has a bound, or lives as long as one run', () => {
	expect(listFields()).toEqual(Object.keys(boundsOfFields).sort());
});
