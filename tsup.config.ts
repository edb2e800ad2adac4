import { defineConfig } from 'tsup';

// One CommonJS bundle per file that n8n loads. n8n-workflow comes from n8n itself; the libraries are bundled,
// because a verified package has no runtime dependencies.
export default defineConfig({
	entry: ['nodes/**/*.node.ts', 'credentials/**/*.credentials.ts'],
	outDir: 'dist',
	format: ['cjs'],
	target: 'node20',
	external: ['n8n-workflow'],
	noExternal: [
		'entities/decode',
		'ipaddr.js',
		'libphonenumber-js',
		'luxon',
		'punycode.js',
		/^csv-stringify\//,
	],
	splitting: false,
	minify: false,
	clean: true,
	silent: true,
});
