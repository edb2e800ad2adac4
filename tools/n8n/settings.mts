import { join } from 'node:path';
import { root } from '../root.mts';
import { differencesOf } from './release.mts';

/** The only variables n8n inherits: nothing else in the environment may change its behaviour. */
const inherited = ['PATH', 'TMPDIR', 'TEMP', 'LANG', 'TZ', 'NODE_EXTRA_CA_CERTS', 'SystemRoot'];

/** What n8n would ask the internet for, or ask its user. */
const silence = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
};

/** Keeps n8n on loopback, silent towards the internet, and within its user folder. */
export function instanceEnvironment(
	userFolder: string,
	port: number,
	brokerPort: number,
	version: string,
): NodeJS.ProcessEnv {
	const url = `http://127.0.0.1:${port}/`;
	const kept = Object.entries(process.env).filter(([name]) => inherited.includes(name));
	return {
		...Object.fromEntries(kept),
		// The second start of a release takes less time.
		NODE_COMPILE_CACHE: join(root, '.cache/compile'),
		HOME: userFolder,
		USERPROFILE: userFolder,
		NODE_ENV: 'production',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,

		N8N_USER_FOLDER: userFolder,
		// It protects test and sandbox credentials only, and being fixed it opens a kept user folder again.
		N8N_ENCRYPTION_KEY: 'local-only',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// A worker has no other server.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		// Not `localhost`, which may mean ::1, where nothing listens.
		WEBHOOK_URL: url,
		N8N_EDITOR_BASE_URL: url,

		...silence,
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_DISABLED_MODULES: differencesOf(version).disabledModules,
		// An isolate only where an expression needs one: the tests of the trigger take n8n a fifth of its processor time.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	};
}
