import './startN8n.mts';

export default async function stop(): Promise<void> {
	await globalThis.n8nForTests?.stop();
}
