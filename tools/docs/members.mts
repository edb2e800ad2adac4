import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mts';
import { writeTable } from './markdown.mts';

const path = 'nodes/PageAudience/operation/operation.ts';

/** The interfaces that describe an operation, with what the table calls them. */
const interfaces: Array<[name: string, title: string]> = [
	['Operation', 'An operation'],
	['WritesGroup', '`writes`'],
	['OutputGroup', '`output`'],
];

/** The members of an operation by its kind, with the comments of the interfaces, as a table. */
export function writeMembersTable(): string {
	const text = readFileSync(join(root, path), 'utf8');
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const rows = interfaces.flatMap(([name, title]) =>
		findInterface(source, name).members.map((member) => [
			title,
			`\`${member.name?.getText() ?? ''}\``,
			readComment(member),
		]),
	);
	return writeTable(['Of', 'Member', 'For'], rows);
}

function findInterface(source: ts.SourceFile, name: string): ts.InterfaceDeclaration {
	const found = source.statements.find(
		(each): each is ts.InterfaceDeclaration =>
			ts.isInterfaceDeclaration(each) && each.name.text === name,
	);
	if (!found) throw new Error(`${path} has no interface ${name}`);
	return found;
}

function readComment(member: ts.TypeElement): string {
	const [comment] = ts.getJSDocCommentsAndTags(member);
	const text = comment && ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment) : '';
	return (text ?? '').replace(/\s+/g, ' ').trim();
}
