import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mts';
import { runProgram } from './setup/program.mjs';
import { provideFolder, providePackage } from './setup/toolchain.mjs';

/** A Chromium, and the environment that it needs. */
export type ChromiumBinary = { path: string; env: NodeJS.ProcessEnv };

const version = '153.0.0';

export const noChromium =
	'the Chromium from npm is for Linux on x64. Install one, and set CHROMIUM_PATH to its program.';

/** The Chromium that CHROMIUM_PATH names, else that of the npm registry where it runs, else none. */
export async function findChromium(): Promise<ChromiumBinary | undefined> {
	const { CHROMIUM_PATH: path, ...env } = process.env;
	if (path) return { path, env };
	return process.platform === 'linux' && process.arch === 'x64' ? await unpack() : undefined;
}

/** Unpacks it into .cache, unless that was done already. */
async function unpack(): Promise<ChromiumBinary> {
	const folder = join(root, '.cache/browser', version);
	await provideFolder(folder, async (partial) => {
		const installed = await providePackage(root, `@sparticuz/chromium@${version}`);
		const module = join(installed, '@sparticuz/chromium/build/index.js');
		const unpacking = `import chromium from '${module}'; await chromium.executablePath();`;
		await runProgram([process.execPath, '--input-type=module', '--eval', unpacking], {
			env: {
				...process.env,
				// It unpacks here, and would take any `chromium` that it finds here.
				TMPDIR: partial,
				// Without it, it leaves out the libraries that slim systems lack.
				AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x',
			},
		});
		writeFileSync(join(partial, 'fonts.conf'), describeFonts(folder));
	});
	const libraries = {
		LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
		FONTCONFIG_FILE: join(folder, 'fonts.conf'),
	};
	return { path: join(folder, 'chromium'), env: { ...process.env, ...libraries } };
}

/** Its own file looks for fonts in /tmp, and knows no monospaced one. */
const describeFonts = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<dir>${folder}/fonts</dir>
	<dir>/usr/share/fonts</dir>
	<cachedir>${folder}/fonts-cache</cachedir>
	<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
