import { type INodeParameters, sleep } from 'n8n-workflow';
import { runOnFakeClock, startOfTime } from '../clock.mts';
import { Wire } from '../wire.mts';
import { type Engine, PolledWorkflow } from './polledWorkflow.mts';
import { PolledService } from './service.mts';

export const minuteMs = 60_000;

export interface SlowScene {
	service: PolledService;
	workflow: PolledWorkflow;
	/** Adds a record that is as old as it is in the service. */
	add: (id: string, at?: number, page?: string) => void;
	/** A minute passes, and n8n polls. */
	poll: (afterMinutes?: number) => Promise<void>;
	respondAfter: (ms: number) => void;
}

/** A service with 80 records, ten to a page, whose responses take their time on a fake clock. */
export async function play(
	parameters: INodeParameters,
	engine: Engine,
	work: (scene: SlowScene) => Promise<void>,
): Promise<void> {
	const service = new PolledService();
	const add = (id: string, at = service.now, page?: string) =>
		service.facts.push({
			id,
			startedAt: at,
			appearsAt: at,
			contents: [{ from: -Infinity, content: 'a' }],
			page,
		});
	for (let number = 0; number < 80; number++)
		add(`record ${number}`, startOfTime - (80 - number) * minuteMs);
	const wire = new Wire();
	wire.answerBy(async (request) => await service.answer(request));
	const workflow = new PolledWorkflow({
		engine,
		credential: { baseUrl: 'https://api.example', apiKey: 'the-api-key' },
		parameters: { pageId: 'page_1', ...parameters },
	});
	const poll = async (afterMinutes = 1) => {
		await sleep(afterMinutes * minuteMs);
		await workflow.tick();
	};
	const respondAfter = (ms: number) => {
		service.onRequest = async () => {
			await sleep(ms);
			return undefined;
		};
	};
	try {
		await runOnFakeClock(async () => await work({ service, workflow, add, poll, respondAfter }), {
			mostMs: 400 * 24 * 60 * minuteMs,
		});
	} finally {
		wire.close();
	}
}

export const idsOf = ({ items }: PolledWorkflow): unknown[] =>
	items.map(
		({ personId, audienceSessionId, activityId }) => personId ?? audienceSessionId ?? activityId,
	);
