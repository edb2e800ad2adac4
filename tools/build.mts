import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

// Builds what n8n loads into `dist`, and nothing of an earlier build stays there.
await runToEnd(async () => {
	rmSync(join(root, 'dist'), { recursive: true, force: true });
	const bundled = await runNode('node_modules/tsup/dist/cli-default.js');
	const built = bundled && (await runNode('node_modules/gulp/bin/gulp.js'));
	return built ? 0 : 1;
});
