import './startN8n.mts';

export default async function stop(): Promise<void> {
	await Promise.all(
		(globalThis.n8nsForTests ?? []).splice(0).map(async (n8n) => await n8n.remove()),
	);
}
