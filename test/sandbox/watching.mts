import type { Sandbox } from '../../sandbox/index.mts';
import type { Kind, Shown } from '../../sandbox/console/entries.mts';

export type Told = Partial<{ [K in Kind]: Shown<K> }>;

/** Watches as a browser does, until it has received enough. Resolves with the latest lists. */
export async function watchConsole(
	{ url }: Sandbox,
	isEnough: (told: Told) => boolean,
): Promise<Told> {
	const answer = await fetch(`${url}/console/feed`);
	expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
	const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
	const told: Told = {};
	let text = '';
	while (!isEnough(told)) {
		const { value = '' } = (await reader?.read()) ?? {};
		const events = (text + value).split('\n\n');
		text = events.pop() ?? '';
		for (const event of events) {
			const [, kind, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
			Object.assign(told, { [kind]: JSON.parse(data) });
		}
	}
	await reader?.cancel();
	return told;
}
