const { dest, src } = require('gulp');

// What n8n reads beside the bundles: icons, codex files and output schemas.
function assets() {
	return src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

exports.default = assets;
