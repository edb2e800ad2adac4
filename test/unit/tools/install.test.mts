import { findLatestVersion } from '../../../tools/n8n/install.mts';

test('without a registry, one line says why the newest n8n cannot be installed', async () => {
	process.env.npm_config_registry = 'http://127.0.0.1:9';
	process.env.npm_config_fetch_retries = '0';
	await expect(findLatestVersion()).rejects.toThrow(
		/^n8n latest cannot be installed: .+ECONNREFUSED.+$/,
	);
});
