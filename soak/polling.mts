// A process of its own: n8n's engine with the polling trigger, a service with a growing list, and a clock that jumps
// from one poll to the next.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { register as registerCjs } from 'tsx/cjs/api';
import { register as registerEsm } from 'tsx/esm/api';
import { serve } from '../bench/child.mts';
import { Randomness } from '../sandbox/store/randomness.mts';
import type { PolledWorkflow } from '../test/engine/polling/polledWorkflow.mts';
import { skip } from './clock.mts';
import { numberOf, SessionList } from './sessionList.mts';
import type { Outcome } from './strands/strand.mts';

// The nodes' sources are CommonJS without file extensions, which Node alone does not run.
registerCjs();
registerEsm();
process.env.N8N_LOG_LEVEL = 'silent';
const engine = await import('../test/engine/polling/polledWorkflow.mts');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is left in the process after some polls. */
export type PollSample = {
	heapBytes: number;
	handles: number;
	stateBytes: number;
	/** Of each poll, in milliseconds of processor time: the n8n beside it starts and stops. */
	times: number[];
};

/** The time that all polls take together, for n8n. */
const monthMs = 30 * 24 * 60 * 60_000;
/** The service is down for so many polls: three hours of a month. */
const pollsOfOutage = 20;
const sessionsBefore = 100;

let list: SessionList;
let workflow: PolledWorkflow;
let randomness: Randomness;
let between = { ms: 0, sessions: 0 };
let total = 0;
let polled = 0;
/** How often each session started an execution. Its size does not depend on how many have. */
let emitted: Uint8Array;
const counts = { polls: 0, sessions: 0, 'appeared late': 0, outages: 0, kills: 0, rotations: 0 };
const violations: string[] = [];

/** Something happens before the poll of this number. */
function disturb(number: number): void {
	const place = Math.floor((number / total) * 40);
	if (place === Math.floor(((number - 1) / total) * 40)) return;
	if (place % 8 === 1) {
		list.refusedUntil = number + pollsOfOutage;
		counts.outages++;
	}
	if (place % 8 === 5) {
		workflow.credential = { ...workflow.credential, apiKey: `key-${place}` };
		counts.rotations++;
	}
}

async function pollOnce(): Promise<number> {
	const number = ++polled;
	skip(between.ms);
	const added = Math.round(number * between.sessions) - Math.round((number - 1) * between.sessions);
	list.size += added;
	counts.sessions += added;
	disturb(number);
	list.isRefusing = number <= list.refusedUntil;
	const before = process.cpuUsage();
	// Everything that the process knew is lost, and a start polls as well.
	if (number % Math.ceil(total / 12) === 0) {
		await workflow.kill().catch(() => undefined);
		counts.kills++;
	} else await workflow.tick();
	const { user, system } = process.cpuUsage(before);
	const ms = (user + system) / 1_000;
	counts.polls++;
	for (const { audienceSessionId } of workflow.items) emitted[numberOf(audienceSessionId)]++;
	for (const { message } of workflow.failures)
		if (!list.isRefusing) violations.push(`poll ${number} failed: ${message}`);
	for (const kept of [workflow.executions, workflow.failures, workflow.log]) kept.length = 0;
	return ms;
}

function sample(times: number[]): PollSample {
	collectGarbage();
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return {
		heapBytes: heapUsed + external,
		handles: process.getActiveResourcesInfo().length,
		stateBytes: workflow.stateSize,
		times,
	};
}

const calls = {
	begin: async (polls: number, sessions: number, seed: number): Promise<void> => {
		total = polls;
		between = { ms: monthMs / polls, sessions: sessions / polls };
		randomness = new Randomness(seed);
		const amounts = { before: sessionsBefore, later: sessions, withinMs: monthMs };
		list = await SessionList.open(amounts, randomness);
		emitted = new Uint8Array(sessionsBefore + sessions);
		const credential = { baseUrl: list.url, apiKey: 'key' };
		const parameters = { event: 'newSession', pageId: 'page_1' };
		workflow = new engine.PolledWorkflow({ parameters, credential });
		await workflow.activate();
	},
	poll: async (count: number): Promise<PollSample> => {
		const times: number[] = [];
		for (let n = 0; n < count; n++) times.push(await pollOnce());
		return sample(times);
	},
	/** One more poll after the last disturbance, and the judgement. */
	end: async (): Promise<Outcome> => {
		list.refusedUntil = 0;
		between = { ms: between.ms, sessions: 0 };
		await pollOnce();
		for (const [number, times] of emitted.entries())
			if (times !== (number < sessionsBefore ? 0 : 1))
				violations.push(`session ${number} started ${times} executions`);
		counts['appeared late'] = list.late;
		list.close();
		return { counts, violations, times: [] };
	},
};

export type Polling = typeof calls;

serve(calls);
