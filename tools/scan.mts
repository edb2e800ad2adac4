import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { packPackage, unpackInto } from './package.mts';
import { root } from './root.mts';
import { makeTemporaryFolder, removeFolder } from './temporary.mts';

type Finding = { where: string; what: string };

const expectedBesideDist = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
const shippedKinds = /^dist\/.*\.(js|json|svg|png)$/;

/** Runs n8n's community scan on the source and on the tarball. Returns whether both pass. */
export async function scanPackage(): Promise<boolean> {
	const { tarball } = await packPackage();
	const findings = [
		...(await analyze('source', root, SOURCE_FILE_PATTERNS)),
		...(await scanTarball(tarball)),
	];
	for (const { where, what } of findings) console.log(`${where}: ${what}`);
	if (findings.length === 0) console.log("The source and the tarball pass n8n's community scan.");
	return findings.length === 0;
}

async function scanTarball(tarball: string): Promise<Finding[]> {
	const folder = makeTemporaryFolder();
	try {
		unpackInto(tarball, folder);
		console.log(`In the tarball: ${listFiles(folder).join(', ')}`);
		return [...(await analyze('tarball', folder)), ...checkManifest(folder), ...checkFiles(folder)];
	} finally {
		removeFolder(folder);
	}
}

async function analyze(where: string, folder: string, patterns?: string[]): Promise<Finding[]> {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	// Without a file to read the scan passes, with a message.
	if (passed && !message) return [];
	return [{ where, what: [message, details].filter(Boolean).join('\n') }];
}

function checkManifest(folder: string): Finding[] {
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
	const findings: string[] = [];
	if (Object.keys(manifest.dependencies ?? {}).length > 0) {
		findings.push('has dependencies, and n8n verifies only packages without');
	}
	for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		if (!listFiles(folder).includes(path))
			findings.push(`names ${path}, which is not in the tarball`);
	}
	return findings.map((what) => ({ where: 'package.json in the tarball', what }));
}

type Manifest = {
	dependencies?: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
};

function checkFiles(folder: string): Finding[] {
	const strangers = listFiles(folder).filter(
		(path) => !expectedBesideDist.includes(path) && !shippedKinds.test(path),
	);
	return strangers.map((path) => ({ where: 'tarball', what: `${path} must not be published` }));
}

function listFiles(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
		.sort();
}
