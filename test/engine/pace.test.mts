import type { INodeParameters } from 'n8n-workflow';
import { runAllOffline } from './offline.mts';
import type { NetworkRequest, Reply } from './fakeNetwork.mts';
import { requestLimits } from '../groups.mts';

/* What executions of one process with one API key share. What one run does is in cancel, report and unit/api/client. */

const log = (limits: INodeParameters): INodeParameters => ({
	resource: 'personLog',
	operation: 'create',
	person: { email: '={{ $json.email }}' },
	source: 'crm',
	payloadMode: 'inputItem',
	options: requestLimits(limits),
});
const items = [1, 2, 3].map((n) => ({ email: `p${n}@crm.example` }));
const created: Reply = { status: 201, body: { personLogId: 'log', personId: 'p' } };

/** Five executions, as of a workflow that a webhook starts. */
async function runFive(limits: INodeParameters, answer: (request: NetworkRequest) => Reply) {
	const start: { at?: number } = {};
	const signals = Array.from({ length: 5 }, () => new AbortController());
	const runs = signals.map(({ signal }, n) => {
		const credential = { apiKey: n === 4 ? 'the key of another tenant' : 'key' };
		return { parameters: log(limits), items, signal, credential };
	});
	const { results, exchanges } = await runAllOffline(runs, (request) => {
		start.at ??= Date.now();
		return answer(request);
	});
	const sent = exchanges.map(({ request, startedAtMs }) => ({
		isOfOther: request.headers['x-api-key'] !== 'key',
		ms: startedAtMs - (start.at ?? 0),
	}));
	return { results, sent };
}

test('five executions meet a rate limit once, and wait for its end together, but none with another key', async () => {
	const endsAt: { ms?: number } = {};
	const { results, sent } = await runFive({ concurrency: 1 }, ({ headers }) => {
		if (headers['x-api-key'] !== 'key') return created;
		endsAt.ms ??= Date.now() + 10_000;
		const isOver = Date.now() >= endsAt.ms;
		return isOver ? created : { status: 429, headers: { 'retry-after': '10' } };
	});
	for (const { output, errors } of results) expect([output.length, errors]).toEqual([3, []]);
	const ofKey = sent.filter(({ isOfOther }) => !isOfOther);
	// Requests that were under way when the first response came.
	const early = ofKey.filter(({ ms }) => ms < 10_000);
	expect(early.length).toBeLessThanOrEqual(4);
	expect(ofKey.length - early.length).toBe(12);
	for (const { ms, isOfOther } of sent) if (isOfOther) expect(ms).toBeLessThan(1_000);
	for (const { hints } of results.slice(0, 4)) expect(String(hints)).toMatch(/^Waited 10 seconds/);
	expect(results[4].hints).toEqual([]);
});

test('five executions keep to Requests per Second together', async () => {
	const { sent } = await runFive({ requestsPerSecond: 2, concurrency: 5 }, () => created);
	const times = sent.filter(({ isOfOther }) => !isOfOther).map(({ ms }) => Math.round(ms / 500));
	expect(times.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n));
});
