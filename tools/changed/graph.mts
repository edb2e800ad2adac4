import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mts';

/** What a file of the repository leads to. */
interface Reads {
	imports: string[];
	/** Files that its texts name. */
	named: string[];
	/** The package's parts that n8n runs for it: the files of the nodes and the credential. */
	parts: string[];
	/** The operations that it names, by their files. */
	operations: string[];
	/** What a document links to. Tests of the documents look at it, and do not run it. */
	linked: string[];
}

const codeFile = /\.[cm]?[jt]s$/;
const document = /\.md$/;
const textFile = /\.(?:[cm]?[jt]s|json|md)$/;
const operationFile =
	/^nodes\/PageAudience\/resources\/(account|audience|audienceSession|page|pageLink|person|personLog|webhookSubscription)\.ts$/;
const nodeFile = /^nodes\/\w+\/\w+\.node\.ts$/;
const actionNode = 'nodes/PageAudience/PageAudience.node.ts';
const partName = /^(?:n8n-nodes-page-audience\.)?(pageAudience\w*?)(?:Tool)?$/;
/** A single word names a folder only here. A file it names anywhere. */
const pathFunctions = new Set(['join', 'resolve', 'globSync', 'readdirSync']);
/** They name all that goes into the tarball. What a test meets of that is what it names itself. */
const packers = ['tools/package.mts', 'tsup.config.ts', 'gulpfile.js'];
const packed = /^(?:nodes|credentials|icons)\/|\.md$|^LICENSE$/;

/**
 * What reads what: imports, paths in texts, links in documents, and for tests in n8n the nodes and the operations in
 * texts, because such tests import nothing of the package that n8n runs.
 */
export class Graph {
	readonly #files: string[];
	readonly #known: Set<string>;
	readonly #folders = new Set<string>();
	/** What names the resource: the value, and the label in the panel. */
	readonly #operations = new Map<string, string[][]>();
	readonly #reads = new Map<string, Reads>();

	/** @param files all of the repository, and those that were deleted */
	constructor(files: string[]) {
		this.#files = files;
		this.#known = new Set(files);
		for (const file of files) {
			for (const each of listFolders(file)) this.#folders.add(each);
			const [, resource] = operationFile.exec(file) ?? [];
			if (resource) this.#operations.set(file, [[resource, ...findLabels(file)]]);
		}
	}

	/** All that is read when these files run. */
	reach(starts: string[], { inN8n = false } = {}): Set<string> {
		const reached = new Set(starts);
		const follow = () => {
			for (const file of reached) for (const each of this.#next(file, inN8n)) reached.add(each);
		};
		follow();
		// What a test names neither itself nor by an import, it finds by looking at n8n: that may be any.
		for (const pattern of inN8n ? [nodeFile, operationFile] : []) {
			const isOpen = pattern === nodeFile || reached.has(actionNode);
			if (!isOpen || [...reached].some((each) => pattern.test(each))) continue;
			for (const each of this.#files) if (pattern.test(each)) reached.add(each);
			follow();
		}
		if (inN8n) return reached;
		return new Set([...reached].flatMap((file) => [file, ...this.#readsOf(file).linked]));
	}

	#next(file: string, inN8n: boolean): string[] {
		const { imports, named, parts, operations } = this.#readsOf(file);
		if (!inN8n) return [...imports, ...named];
		// n8n loads all operations, but a test runs those that it names.
		const loaded = imports.filter((each) => !operationFile.test(each));
		return [...loaded, ...named, ...parts, ...operations];
	}

	#readsOf(file: string): Reads {
		const known = this.#reads.get(file);
		if (known) return known;
		const reads = this.#parse(file);
		this.#reads.set(file, reads);
		return reads;
	}

	#parse(file: string): Reads {
		const text = textFile.test(file) ? read(file) : '';
		const { texts, imports } = codeFile.test(file) ? parseCode(file, text) : noCode;
		const named = texts.flatMap((each) => this.#findNamed(file, each));
		const values = file.endsWith('.json') ? listStrings(text) : texts.map(({ value }) => value);
		// Nodes name each other in lists, and run none.
		const words = new Set(packed.test(file) ? [] : values);
		return {
			imports: imports.flatMap((each) => this.#resolve(file, each)),
			named: packers.includes(file) ? named.filter((each) => !packed.test(each)) : named,
			parts: [...words].flatMap((word) => this.#findPart(word)),
			operations: [...this.#operations]
				.filter(([, parts]) => parts.every((names) => names.some((name) => words.has(name))))
				.map(([each]) => each),
			linked: document.test(file) ? this.#findLinked(file, text) : [],
		};
	}

	#resolve(file: string, specifier: string): string[] {
		if (!specifier.startsWith('.')) return [];
		const path = normalize(join(dirname(file), specifier));
		return [path, `${path}.ts`, `${path}/index.ts`].filter((each) => this.#known.has(each));
	}

	/**
	 * The file at a path, from any folder on the way to this file, because a variable may hold that. All files in a folder
	 * or of a pattern, from the file's own folder or the repository's.
	 */
	#findNamed(file: string, { value, isPath, isBeginning }: Text): string[] {
		const path = value.replace(/^file:/, '');
		// A sign such as `..` or `/` alone is no path, and what begins with a slash is one of a URL.
		if (!/^[\w.{*][\w.@*{},/-]*$/.test(path) || !/\w/.test(path)) return [];
		const known = listFolders(file)
			.map((folder) => normalize(join(folder, path)))
			.filter((each) => this.#known.has(each));
		if (known.length > 0) return known;
		if (!isPath && !/[./]/.test(path)) return [];
		return [normalize(path), normalize(join(dirname(file), path))].flatMap((each) => {
			if (each.includes('*')) return this.#files.filter((one) => matchesGlob(one, each));
			const folder = each.replace(/\/$/, '');
			if (isBeginning && this.#folders.has(dirname(each)))
				return this.#files.filter((one) => one.startsWith(each));
			return this.#folders.has(folder)
				? this.#files.filter((one) => one.startsWith(`${folder}/`))
				: [];
		});
	}

	#findLinked(file: string, text: string): string[] {
		const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
		const paths = links.map((link) => normalize(join(dirname(file), link)));
		return paths.filter((each) => this.#known.has(each));
	}

	#findPart(word: string): string[] {
		const [, name] = partName.exec(word) ?? [];
		if (name === undefined) return [];
		const type = name.replace(/^p/, 'P');
		const files = [`nodes/${type}/${type}.node.ts`, `credentials/${type}.credentials.ts`];
		return files.filter((each) => this.#known.has(each));
	}
}

const noCode = { texts: [], imports: [] };

const read = (file: string): string =>
	existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';

const findLabels = (file: string): string[] =>
	/: Resource = \{\s*option: \{ name: '(.+?)'/.exec(read(file))?.slice(1) ?? [];

/** From its own up to the repository's. */
function listFolders(file: string): string[] {
	const folder = dirname(file);
	return folder === '.' ? [folder] : [folder, ...listFolders(folder)];
}

interface Text {
	value: string;
	/** Whether it is given to a function that takes paths. */
	isPath: boolean;
	/** Whether an expression follows in a template. */
	isBeginning: boolean;
}

function parseCode(file: string, text: string): { texts: Text[]; imports: string[] } {
	const texts: Text[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) {
			const { parent } = node;
			if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return;
			if (ts.isLiteralTypeNode(parent)) return;
			const isPath =
				ts.isCallExpression(parent) && pathFunctions.has(parent.expression.getText(source));
			texts.push({ value: node.text, isPath, isBeginning: ts.isTemplateHead(node) });
		}
		ts.forEachChild(node, visit);
	};
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	visit(source);
	const imports = ts.preProcessFile(text, true, true).importedFiles;
	return { texts, imports: imports.map(({ fileName }) => fileName) };
}

function listStrings(json: string): string[] {
	const strings: string[] = [];
	try {
		JSON.parse(json, (_key, value: unknown) => {
			if (typeof value === 'string') strings.push(value);
		});
	} catch {
		// One with comments holds no workflow.
	}
	return strings;
}
