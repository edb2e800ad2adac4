import ts from 'typescript';
import { root } from '../root.mts';

type Place = { line: number; column: number };
type Mutant = {
	id: string;
	fileName: string;
	location: { start: Place; end: Place };
	replacement: string;
};

let changed = { path: '', text: '', version: 0 };
let service: ts.LanguageService;

/**
 * Asks the compiler about the changed file alone. Stryker's own checker compiles every file that imports it too, which
 * takes ten times as long as the tests.
 */
export const strykerPlugins = [
	{
		kind: 'Checker',
		name: 'changedFile',
		value: {
			init: async () => void (service = createService()),
			check: async (mutants: Mutant[]) =>
				Object.fromEntries(mutants.map((mutant) => [mutant.id, check(mutant)])),
		},
	},
];

function check({ fileName: path, location, replacement }: Mutant) {
	const text = ts.sys.readFile(path) ?? '';
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
	const [from, to] = [location.start, location.end].map(({ line, column }) =>
		source.getPositionOfLineAndCharacter(line, column),
	);
	const { version } = changed;
	changed = {
		path,
		text: text.slice(0, from) + replacement + text.slice(to),
		version: version + 1,
	};
	const [error] = [
		...service.getSyntacticDiagnostics(path),
		...service.getSemanticDiagnostics(path),
	];
	if (!error) return { status: 'passed' };
	return {
		status: 'compileError',
		reason: ts.flattenDiagnosticMessageText(error.messageText, '\n'),
	};
}

function createService(): ts.LanguageService {
	const { options, fileNames } = ts.parseJsonConfigFileContent(
		ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile).config,
		ts.sys,
		root,
	);
	Object.assign(options, {
		// What a change leaves without a use is no fault that anyone would make.
		...{ noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true },
		...{ incremental: false, tsBuildInfoFile: undefined },
	});
	return ts.createLanguageService({
		...ts.sys,
		useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
		getCompilationSettings: () => options,
		getScriptFileNames: () => fileNames,
		getScriptVersion: (path) => (path === changed.path ? String(changed.version) : ''),
		getScriptSnapshot: (path) => {
			const text = path === changed.path ? changed.text : ts.sys.readFile(path);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => root,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
	});
}
