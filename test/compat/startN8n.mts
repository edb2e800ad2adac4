import { startShared } from '../e2e/startN8n.mts';
import { provideRelease, releaseNames } from './releases.mts';

/** n8n in the release that the project is named after, with the packed package. */
export default async function start(
	{ maxWorkers }: { maxWorkers: number },
	{ displayName }: { displayName: { name: string } },
): Promise<void> {
	const name = releaseNames.find((each) => displayName.name === `compat-${each}`);
	if (!name) throw new Error(`No release of n8n belongs to the project ${displayName.name}`);
	await startShared(await provideRelease(name), maxWorkers);
}
