// `npm version` runs it before it commits: dates the section of the version that is released.
import { readFileSync, writeFileSync } from 'node:fs';

const { npm_package_version: version } = process.env;
const heading = `## [${version}] - Unreleased`;
const changelog = readFileSync('CHANGELOG.md', 'utf8');
if (!changelog.includes(heading)) {
	console.error(`CHANGELOG.md has no section "${heading}": write what is new`);
	process.exit(1);
}
const today = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', changelog.replace(heading, `## [${version}] - ${today}`));
