import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';

/** An n8n that is installed on this machine. */
export type Release = {
	version: string;
	/** The program to start, or the image. */
	program: string;
	/** The Node to start it with, or `docker`. */
	node: string;
};

/** The n8n that `npm start`, the benchmark and most tests run. */
export const currentRelease = (): Release => readRelease(join(root, 'tools/n8n'), process.execPath);

/** The n8n in a folder's node_modules. */
export function readRelease(folder: string, node: string): Release {
	const n8n = join(folder, 'node_modules/n8n');
	const { version } = JSON.parse(readFileSync(join(n8n, 'package.json'), 'utf8')) as {
		version: string;
	};
	return { version, program: join(n8n, 'bin/n8n'), node };
}

// n8n's native parts have binaries for it.
const preferredNode = 24;

/** The major version of the Node that the n8n in a folder's node_modules should run on. */
export function nodeFor(folder: string): number {
	const manifest = join(folder, 'node_modules/n8n/package.json');
	const { engines } = JSON.parse(readFileSync(manifest, 'utf8')) as { engines: { node: string } };
	return Math.max(preferredNode, Number(/\d+/.exec(engines.node)?.[0]));
}

/** What n8n 2.40 and newer would load at each start, and nothing here uses. Most of it requires a license. */
const unusedModules =
	'agents,breaking-changes,chat-hub,external-secrets,instance-ai,ldap,log-streaming,mcp-registry,n8n-packages,otel,' +
	'provisioning,quick-connect,source-control,sso-oidc,sso-saml,token-exchange,workflow-reviews';

/** What differs between the versions of n8n that the package is tested with. All of it is decided here. */
export function differencesOf(version: string) {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	const isCurrent = major > 2 || (major === 2 && minor >= 40);
	const olderModules = major < 2 ? 'chat-hub' : 'chat-hub,quick-connect';
	return {
		/** n8n does not start when it does not know one of them. */
		disabledModules: major > 2 ? '' : isCurrent ? unusedModules : olderModules,
		/** Publishing goes on after n8n's response, and has a status. Before, the response says how it ended. */
		hasPublicationStatus: isCurrent,
		/** n8n can refuse requests to internal addresses. */
		hasSsrfProtection: isCurrent,
		/** A failed test of a credential says what the credential has to say about the status. Before, n8n lost the response. */
		readsResponseCodes: isCurrent,
	};
}
