import './start.mts';

/** Jest's global teardown. */
export default async function stop(): Promise<void> {
	const all = globalThis.n8nsForTests ?? [];
	await Promise.all(all.splice(0).map(async (n8n) => await n8n.remove()));
}
