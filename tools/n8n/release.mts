import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';

/** An n8n that this machine can run. */
export type Release = {
	version: string;
	/** To start with Node. */
	program: string;
};

/** The n8n that `npm start`, the benchmark and most tests run. */
export const currentFolder = join(root, 'tools/n8n');
export const currentRelease = (): Release => readRelease(currentFolder);

/** The n8n in a folder's node_modules. */
export function readRelease(folder: string): Release {
	const n8n = join(folder, 'node_modules/n8n');
	const manifest = readFileSync(join(n8n, 'package.json'), 'utf8');
	const { version } = JSON.parse(manifest) as { version: string };
	return { version, program: join(n8n, 'bin/n8n') };
}

/** What n8n 2.41 would load at each start, and nothing here uses. Most of it requires a license. */
const unusedModules =
	'agents,breaking-changes,chat-hub,external-secrets,instance-ai,ldap,log-streaming,mcp-registry,n8n-packages,otel,' +
	'provisioning,quick-connect,source-control,sso-oidc,sso-saml,token-exchange,workflow-reviews';

/** What differs between the versions of n8n that the package is tested with. All of it is decided here. */
export function differencesOf(version: string) {
	const major = Number.parseInt(version, 10);
	return {
		/** n8n does not start when it does not know one of them. */
		disabledModules: major > 2 ? '' : major === 2 ? unusedModules : 'chat-hub',
		/** Publishing goes on after n8n's response, and has a status. Before, the response says how it ended. */
		hasPublicationStatus: major >= 2,
		/** n8n can refuse requests to internal addresses. */
		hasSsrfProtection: major >= 2,
		/** A failed test of a credential says what the credential has to say about the status. Before, n8n lost the response. */
		readsResponseCodes: major >= 2,
	};
}
