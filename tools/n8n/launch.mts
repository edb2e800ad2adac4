import { launch, type RunningProcess } from '../launch.mts';
import { nodeCommand } from '../setup/child.mjs';
import type { Release } from './release.mts';

/** What a process of n8n is for. In queue mode, `start` is the main process. */
export type N8nCommand = 'start' | 'worker' | 'webhook';

/** Starts n8n as a process that ends when this one does, even if this one is killed. */
export function launchN8n(
	{ node, program }: Release,
	folder: string,
	env: NodeJS.ProcessEnv,
	logPath: string,
	command: N8nCommand,
): RunningProcess {
	// n8n reads a .env file in its working directory.
	return launch(nodeCommand(node, program, command), { cwd: folder, env, logPath });
}
