import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { writeNotices } from './notices.mts';
import { root } from './root.mts';

// Builds what n8n loads into `dist`, and nothing of an earlier build stays there.
await runToEnd(async () => {
	rmSync(join(root, 'dist'), { recursive: true, force: true });
	if (!(await runNode('node_modules/tsup/dist/cli-default.js'))) return 1;
	writeNotices();
	return (await runNode('node_modules/gulp/bin/gulp.js')) ? 0 : 1;
});
