import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredN8n } from '../measuredN8n.mts';
import { compare, measureInTurn, requireEqual, type Row } from '../measure.mts';
import type { NodeRun } from '../probe.mts';
import {
	connect,
	doNothing,
	httpListParameters,
	httpNode,
	ownNode,
	splitOut,
} from '../workflows.mts';

const hourMs = 3_600_000;

/** A poll that finds nothing new among sessions that are all within its look-back, so that it must read them all. */
export async function polling(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { client, credential, sandbox } = n8n;
	const [{ pageId }] = sandbox.store.pages.all();
	const count = 20_000 * scale;
	const url = `${sandbox.url}/v0/pages/${pageId}/audience_sessions`;
	// As the trigger does with its look-back: the service compares the date of each session.
	const startDate = new Date(Date.now() - 48 * hourMs).toISOString();
	const http = await n8n.prepare(
		'sessions-http',
		[httpNode(httpListParameters(url, { startDate }), credential), splitOut('items')],
		'audienceSessionId',
	);
	const trigger = ownNode(
		{
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			event: 'newSession',
			pageId: { __rl: true, mode: 'id', value: pageId },
		},
		credential,
		'pageAudiencePollingTrigger',
	);
	const rows: Row[] = [];
	for (const [pageSize, atMost] of [
		[100, 1],
		[1_000, 0.5],
	]) {
		fill(n8n, pageId, count, pageSize);
		await n8n.newRuns();
		const id = await n8n.publish(connect(`Polling ${pageSize}`, [trigger, doNothing]));
		// The first poll only notes what is there. Each further one comes with the next minute.
		await nextPoll(n8n);
		const poll = async (): Promise<NodeRun> => {
			sandbox.requests.length = 0;
			await n8n.newRuns('clean');
			const run = await nextPoll(n8n);
			requireEqual('Requests', count / pageSize, sandbox.requests.length);
			return run;
		};
		const [ownMs, httpMs] = await measureInTurn([poll, async () => (await http({}, count))[0]]);
		const what = `A poll of ${count} sessions, nothing new, up to ${pageSize} at a time`;
		rows.push(compare(what, ownMs, httpMs, atMost));
		requireEqual('Executions', 0, (await client.listExecutions(id)).length);
		await client.unpublish(id);
	}
	return rows;
}

function fill({ sandbox }: MeasuredN8n, pageId: string, count: number, pageSize: number): void {
	sandbox.reset();
	sandbox.guesses.maximumLimit = pageSize;
	const { sessions } = sandbox.store;
	sandbox.store.addSessions(pageId, count - sessions.of(pageId).length);
	const sessionStartedAt = new Date(Date.now() - hourMs).toISOString();
	for (const session of sessions.of(pageId)) session.sessionStartedAt = sessionStartedAt;
}

/** Waits for the end of the next poll. */
async function nextPoll(n8n: MeasuredN8n): Promise<NodeRun> {
	for (;;) {
		const poll = (await n8n.newRuns()).find((run) => run.node === 'PageAudiencePollingTrigger');
		if (poll) return poll;
		await sleep(200);
	}
}
