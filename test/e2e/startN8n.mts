import { startN8n, type N8nInstance } from '../../tools/n8n/instance.mts';
import { connect } from '../../tools/n8n/client.mts';
import { packPackage } from '../../tools/package.mts';

declare global {
	var n8nForTests: N8nInstance | undefined;
}

/** One n8n with the packed package for all files; they find it by the environment. */
export default async function start(): Promise<void> {
	const { tarball } = await packPackage();
	globalThis.n8nForTests = await startN8n({ tarball });
	process.env.N8N_FOR_TESTS = globalThis.n8nForTests.url;
	await connect(globalThis.n8nForTests.url);
}
