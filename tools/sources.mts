import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Node runs .ts files. But the sources of the nodes name each other without an extension, and n8n-workflow's own modules do
// so, too, but for those that `require` gets.
const conditions = ['node', 'require'];
registerHooks({
	resolve(specifier, context, resolveNext) {
		if (specifier === 'n8n-workflow') return resolveNext(specifier, { ...context, conditions });
		// Node does not see what it exports.
		if (specifier === 'punycode.js') return resolveNext('punycode.js/punycode.es6.js', context);
		const file = new URL(specifier.replace(/(?:\.ts)?$/, '.ts'), context.parentURL);
		return specifier.startsWith('.') && existsSync(fileURLToPath(file))
			? { url: file.href, format: 'module-typescript', shortCircuit: true }
			: resolveNext(specifier, context);
	},
});
