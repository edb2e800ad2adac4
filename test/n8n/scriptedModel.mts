import type { JsonObject } from '../../tools/n8n/execution.mts';
import { serve } from '../localServer.mts';

type Action = { call: string; with: JsonObject } | { say: string };
/** What the model does next. It may depend on the first record of its last call. */
export type Turn = Action | ((seen: Record<string, string>) => Action);

/** A tool as described to the model. */
export type OfferedTool = {
	name: string;
	description: string;
	parameters: { properties: JsonObject; required?: string[] };
};
type Message = { role: string; content: unknown };
type Asked = { messages: Message[]; tools?: Array<{ function: OfferedTool }> };

/** A scripted model behind OpenAI's chat completions endpoint. */
export type ScriptedModel = {
	/** The base URL, with /v1. */
	url: string;
	/** Sets the next turns, one per request, and forgets earlier requests. */
	play(...turns: Turn[]): void;
	/** The tools in the last request. */
	tools(): OfferedTool[];
	/** The results of its tool calls in order. */
	observations(): string[];
	close(): void;
};

export async function openScriptedModel(): Promise<ScriptedModel> {
	let script: Turn[] = [];
	let asked: Asked[] = [];
	const observations = () =>
		(asked.at(-1)?.messages ?? [])
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
	const server = await serve(({ body }) => {
		asked.push(JSON.parse(body.toString()) as Asked);
		const turn = script.shift() ?? { say: 'The script is over.' };
		const action = typeof turn === 'function' ? turn(readRecord(observations().at(-1))) : turn;
		return { body: JSON.stringify(writeCompletion(action, asked.length)) };
	});
	return {
		url: `${server.url}/v1`,
		play(...turns) {
			script = turns;
			asked = [];
		},
		tools: () => asked.at(-1)?.tools?.map((tool) => tool.function) ?? [],
		observations,
		close: server.close,
	};
}

function readRecord(observation = '[]'): Record<string, string> {
	const [record = {}] = JSON.parse(observation) as Array<Record<string, string>>;
	return record;
}

function writeCompletion(turn: Action, count: number): JsonObject {
	const message =
		'say' in turn
			? { role: 'assistant', content: turn.say }
			: {
					role: 'assistant',
					content: null,
					tool_calls: [
						{
							id: `call_${count}`,
							type: 'function',
							function: { name: turn.call, arguments: JSON.stringify(turn.with) },
						},
					],
				};
	return {
		id: `completion_${count}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: 'say' in turn ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
