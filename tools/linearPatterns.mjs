// Beside eslint.config.mjs, because n8n wants that one unchanged.
import redos from 'eslint-plugin-redos';
import typescript from 'typescript-eslint';

/** Any pattern may meet a text of a stranger, who could stop n8n with it if it took more than linear time. */
export default [
	{
		files: ['nodes/**/*.ts'],
		languageOptions: { parser: typescript.parser },
		plugins: { redos },
		rules: {
			// Where the machine pauses, a pattern whose check has a time limit counts as slow.
			'redos/no-vulnerable': [
				'error',
				{
					ignoreErrors: false,
					timeout: null,
					seedingTimeout: null,
					incubationTimeout: null,
					attackTimeout: null,
				},
			],
			'no-restricted-syntax': [
				'error',
				{
					selector: ':matches(NewExpression, CallExpression)[callee.name="RegExp"]',
					message: 'Write the pattern as a literal, because only those can be checked',
				},
			],
		},
	},
];
