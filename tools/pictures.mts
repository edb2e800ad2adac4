import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJest } from './jest.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

/** The README's pictures, by the screenshots of the browser tests that they are. */
const pictures = { 'form-execution': 'form-execution', 'page-actions': 'page-update' };

await runToEnd(async () => {
	const inN8n = ['--runInBand', '--testTimeout=180000'];
	const { failed, skipped } = await runJest('browser', [
		...inN8n,
		'--',
		'browser/form',
		'browser/pick',
	]);
	if (failed + skipped > 0) return 1;
	for (const [screenshot, picture] of Object.entries(pictures)) {
		const path = `docs/images/${picture}.png`;
		copyFileSync(join(root, `.cache/screenshots/${screenshot}.png`), join(root, path));
		console.log(`Retook ${path}`);
	}
	return 0;
});
