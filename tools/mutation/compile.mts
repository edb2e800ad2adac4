import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mts';
import type { Change } from './copy.mts';

/** Of the changes, those that the compiler refuses in the file itself. */
export function findRefused(changes: Change[]): Set<string> {
	const { options, fileNames } = ts.parseJsonConfigFileContent(
		ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
		ts.sys,
		root,
	);
	// What a change leaves without a use is no fault that anyone would make.
	Object.assign(options, {
		...{ noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true },
		...{ incremental: false, tsBuildInfoFile: undefined },
	});
	const changed = { path: '', text: '', version: 0 };
	const service = ts.createLanguageService({
		getCompilationSettings: () => options,
		getScriptFileNames: () => fileNames,
		getScriptVersion: (path) => (path === changed.path ? `changed ${changed.version}` : ''),
		getScriptSnapshot: (path) => {
			const text = path === changed.path ? changed.text : ts.sys.readFile(path);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => root,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
		readDirectory: ts.sys.readDirectory,
		directoryExists: ts.sys.directoryExists,
		getDirectories: ts.sys.getDirectories,
	});
	const isRefused = ({ file, from, to, replacement }: Change): boolean => {
		const path = join(root, file);
		const text = ts.sys.readFile(path) ?? '';
		Object.assign(changed, { path, text: text.slice(0, from) + replacement + text.slice(to) });
		changed.version++;
		return (
			service.getSyntacticDiagnostics(path).length > 0 ||
			service.getSemanticDiagnostics(path).length > 0
		);
	};
	return new Set(changes.filter(isRefused).map(({ id }) => id));
}
