import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { release } from './release/release.mts';
import { root } from './root.mts';

// npm run release -- 0.2.0
await runToEnd(async () => {
	const [version = ''] = process.argv.slice(2);
	const push = await release(root, version, async () => await runNode('tools/test.mts', 'all'));
	console.log(
		`\nv${version} is committed and tagged here, and not pushed. To publish it:\n\n${push}`,
	);
	return 0;
});
