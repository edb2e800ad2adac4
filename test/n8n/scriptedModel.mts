import type { JsonObject } from '../../tools/n8n/execution.mts';
import { serve } from '../localServer.mts';

type Action = { call: string; with: JsonObject } | { say: string };
/** What the model does next. It may depend on the first record of its last call. */
export type Turn = Action | ((seen: Record<string, string>) => Action);

type Message = { role: string; content: unknown };
type Asked = { messages: Message[]; tools?: Array<{ function: JsonObject }> };

export type ScriptedModel = Awaited<ReturnType<typeof openScriptedModel>>;

/** A scripted model behind OpenAI's chat completions endpoint. */
export async function openScriptedModel() {
	let turns: Turn[] = [];
	let asked: Asked[] = [];
	/** The results of its tool calls in order. */
	const observations = () =>
		(asked.at(-1)?.messages ?? [])
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
	const server = await serve(({ body }) => {
		asked.push(JSON.parse(body.toString()) as Asked);
		const turn = turns.shift() ?? { say: 'No turn is left.' };
		const action = typeof turn === 'function' ? turn(readRecord(observations().at(-1))) : turn;
		return { body: JSON.stringify(writeCompletion(action, asked.length)) };
	});
	return {
		/** The base URL. */
		url: `${server.url}/v1`,
		/** Sets the next turns, one per request, and forgets earlier requests. */
		setTurns(...next: Turn[]): void {
			turns = next;
			asked = [];
		},
		/** The tools in the last request. */
		tools: () => asked.at(-1)?.tools?.map((each) => each.function) ?? [],
		observations,
		close: server.close,
	};
}

function readRecord(observation = '[]'): Record<string, string> {
	const [record = {}] = JSON.parse(observation) as Array<Record<string, string>>;
	return record;
}

function writeCompletion(turn: Action, count: number): JsonObject {
	const call = (name: string, given: JsonObject) => ({
		...{ id: `call_${count}`, type: 'function' },
		function: { name, arguments: JSON.stringify(given) },
	});
	const [content, calls, reason] =
		'say' in turn
			? [turn.say, undefined, 'stop']
			: [null, [call(turn.call, turn.with)], 'tool_calls'];
	const message = { role: 'assistant', content, tool_calls: calls };
	return {
		...{ id: `completion_${count}`, object: 'chat.completion', created: 0, model: 'scripted' },
		choices: [{ index: 0, message, finish_reason: reason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
