import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredN8n } from '../measuredN8n.mts';
import { compare, measureInTurn, requireEqual, type Row } from '../measure.mts';
import {
	chain,
	connect,
	countIds,
	httpListParameters,
	httpNode,
	node,
	requireEach,
	splitOut,
} from '../workflows.mts';

const hourMs = 3_600_000;

/** A poll that finds nothing new among sessions that are all within its look-back, so that it must read them all. */
export async function polling(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { sandbox } = n8n;
	const [{ pageId }] = sandbox.store.pages.all();
	const http = listOverHttp(n8n, pageId);
	await n8n.publish(http);
	const count = 20_000 * scale;
	const readHttp = async (): Promise<number> => {
		const { answer, node } = await n8n.runNode(http, {});
		requireEach('audienceSessionId', count, answer);
		return node.ms;
	};
	const rows: Row[] = [];
	for (const [pageSize, atMost] of [
		[100, 1],
		[1_000, 0.5],
	]) {
		fill(n8n, pageId, count, pageSize);
		const name = `Polling, up to ${pageSize} at a time`;
		await n8n.newRuns();
		const id = await n8n.publish(connect(name, [pollingTrigger(n8n, pageId), doNothing]));
		// The first poll only notes what is there. Each further one comes with the next minute.
		await nextPoll(n8n);
		const poll = async (): Promise<number> => {
			await n8n.newRuns();
			sandbox.requests.length = 0;
			const ms = await nextPoll(n8n);
			requireEqual('Requests', count / pageSize, sandbox.requests.length);
			return ms;
		};
		const [ownMs, httpMs] = await measureInTurn([poll, readHttp]);
		const what = `A poll of ${count} sessions, nothing new, up to ${pageSize} at a time`;
		rows.push(compare(what, ownMs, httpMs, atMost));
		requireEqual('Executions', 0, (await n8n.client.listExecutions(id)).length);
		await n8n.client.unpublish(id);
	}
	return rows;
}

function listOverHttp({ credential, sandbox }: MeasuredN8n, pageId: string) {
	// As the trigger does with its look-back: the service compares the date of each session.
	const startDate = new Date(Date.now() - 48 * hourMs).toISOString();
	const url = `${sandbox.url}/v0/pages/${pageId}/audience_sessions`;
	return chain('Sessions, HTTP Request node', [
		httpNode('List', httpListParameters(url, { startDate }), credential),
		splitOut('items'),
		countIds('audienceSessionId'),
	]);
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
async function nextPoll(n8n: MeasuredN8n): Promise<number> {
	for (;;) {
		const poll = (await n8n.newRuns()).find((run) => run.node === 'PageAudiencePollingTrigger');
		if (poll) return poll.ms;
		await sleep(200);
	}
}

const doNothing = node('No Operation', 'n8n-nodes-base.noOp', 1, {});

function pollingTrigger({ credential }: MeasuredN8n, pageId: string) {
	const parameters = {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
		event: 'newSession',
		pageId: { __rl: true, mode: 'id', value: pageId },
	};
	return {
		...node('Polling', 'n8n-nodes-page-audience.pageAudiencePollingTrigger', 1, parameters),
		credentials: { pageAudienceApi: credential },
	};
}
