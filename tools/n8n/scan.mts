import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { packPackage, unpackInto } from '../package.mts';
import { noticesFile } from '../notices.mts';
import { root } from '../root.mts';
import { makeTemporaryFolder } from '../temporary.mts';

const published =
	/^(CHANGELOG\.md|LICENSE|README\.md|package\.json|dist\/(.*\.(js|json|svg|png)|THIRD-PARTY-NOTICES\.txt))$/;

/** Runs n8n's community scan on the source and on the tarball. Returns whether both pass. */
export async function scanPackage(): Promise<boolean> {
	const { tarball } = await packPackage();
	const folder = makeTemporaryFolder();
	unpackInto(tarball, folder);
	const findings = [
		...(await analyze('source', root, SOURCE_FILE_PATTERNS)),
		...(await analyze('tarball', folder)),
		...checkTarball(folder),
		...checkNotices(folder),
	];
	for (const finding of findings) console.log(finding);
	if (findings.length === 0) console.log("The source and the tarball pass n8n's community scan.");
	return findings.length === 0;
}

async function analyze(where: string, folder: string, patterns?: string[]): Promise<string[]> {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	// Without a file to read the scan passes, with a message.
	return passed && !message ? [] : [[where, message, details].filter(Boolean).join('\n')];
}

type Manifest = {
	dependencies?: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
};

function checkTarball(folder: string): string[] {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
	console.log(`In the tarball: ${files.sort().join(', ')}`);
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
	const loaded = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	return [
		...loaded
			.filter((path) => !files.includes(path))
			.map((path) => `package.json names ${path}, which is not in the tarball`),
		...files.filter((path) => !published.test(path)).map((path) => `${path} must not be published`),
		...Object.keys(manifest.dependencies ?? {}).map(
			(name) =>
				`package.json depends on ${name}, and n8n verifies only packages without dependencies`,
		),
	];
}

/** esbuild names the file of each piece in a comment above it. */
const bundledFile = /^\s*\/\/ (?:\S*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm;

function checkNotices(folder: string): string[] {
	const notices = readFileSync(join(folder, noticesFile), 'utf8');
	const bundles = globSync('dist/**/*.js', { cwd: folder }).map((path) =>
		readFileSync(join(folder, path), 'utf8'),
	);
	const names = bundles.flatMap((text) => [...text.matchAll(bundledFile)].map(([, name]) => name));
	const packages = new Set(names);
	const missing = [...packages].filter((name) => !notices.includes(`\n${name} `));
	// It would also pass if esbuild no longer wrote these comments.
	if (packages.size === 0) return ['The bundles do not say which packages are in them'];
	return missing.map((name) => `${noticesFile} has no license of ${name}`);
}
