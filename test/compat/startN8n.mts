import { installN8n } from '../../tools/n8n/install.mts';
import { startShared } from '../e2e/startN8n.mts';
import { releases } from './releases.mts';

/** n8n in the release that the project is named after, with the packed package. */
export default async function start(
	{ maxWorkers }: { maxWorkers: number },
	{ displayName }: { displayName: { name: string } },
): Promise<void> {
	const name = displayName.name.replace('compat-', '');
	const [, older] = Object.entries(releases).find(([each]) => each === name) ?? [];
	const version = older?.version ?? name.replace('n8n-', '');
	await startShared(await installN8n(version, older), maxWorkers);
}
