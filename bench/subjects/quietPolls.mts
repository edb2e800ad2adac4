import { setTimeout as sleep } from 'node:timers/promises';
import { requireEqual } from '../complete.mts';
import type { Lab } from '../lab.mts';
import type { BenchN8n } from '../n8n.mts';
import type { Sample, Subject } from '../subject.mts';
import { chain, httpNode, httpSessionsParameters, pollingWorkflow } from '../workflows.mts';

const count = 20_000;
const pageSize = 100;
const hourMs = 3_600_000;
const names = { own: 'Page Audience Polling Trigger', http: 'HTTP Request node' };

/**
 * A poll that finds nothing new among 20,000 sessions, all within its look-back, which it must all read. Against the
 * HTTP Request node that reads the same.
 */
export async function quietPolls(lab: Lab): Promise<Subject> {
	return await pollQuietly(lab, pageSize, 1);
}

/** The same of a service that allows 1,000 sessions at a time. Only this package finds that out by itself. */
export async function quietPollsLargePages(lab: Lab): Promise<Subject> {
	return await pollQuietly(lab, 1_000, 0.5);
}

async function pollQuietly(lab: Lab, largest: number, atMost: number): Promise<Subject> {
	const pageId = await lab.service.ask('pageId');
	const n8n = await lab.n8n();
	const readHttp = await lab.publish(({ credential }) =>
		chain(`${names.http}, sessions by ${largest}`, [
			httpNode(httpSessionsParameters(lab.address.url, pageId), credential),
		]),
	);
	let publishedId: string | undefined;
	const sides = [
		{ name: names.own, run: async () => await readPoll(lab, n8n, largest) },
		{
			name: names.http,
			run: async (): Promise<Sample> => {
				const { ms, items, reading } = await readHttp({});
				const sessions = items.reduce((sum, { items: page }) => sum + lengthOf(page), 0);
				requireEqual('Sessions', count, sessions);
				return { value: ms, cpuMs: reading.cpuMs };
			},
		},
	];
	return {
		title: `A poll over ${count} sessions, nothing new, listed by ${largest}`,
		unit: 'ms',
		sides,
		goals: [{ side: names.own, against: names.http, atMost }],
		// The first poll takes stock. Each further one comes with the next minute.
		warmUp: async () => {
			await lab.service.ask('reset');
			await lab.service.ask('allowLimit', largest);
			await lab.service.ask('fillSessions', pageId, count);
			await lab.service.ask('dateSessions', pageId, new Date(Date.now() - hourMs).toISOString());
			const workflow = pollingWorkflow(`Quiet polls by ${largest}`, pageId, n8n.credential);
			({ id: publishedId } = await n8n.client.createWorkflow(workflow));
			await n8n.read(async () => {
				const poll = nextPoll(lab, n8n);
				await n8n.client.activate(String(publishedId));
				await poll;
			});
		},
		close: async () => {
			if (publishedId !== undefined) await n8n.client.deactivate(publishedId);
		},
	};
}

function lengthOf(page: unknown): number {
	return Array.isArray(page) ? page.length : 0;
}

async function readPoll(lab: Lab, n8n: BenchN8n, largest: number): Promise<Sample> {
	const { done, reading } = await n8n.read(async () => await nextPoll(lab, n8n));
	const { requests, refused } = await lab.service.ask('traffic');
	requireEqual('Requests', count / largest, requests);
	requireEqual('Refused requests', 0, refused);
	return { value: done, cpuMs: reading.cpuMs, note: `${requests} requests` };
}

/** Waits for a poll that begins from now on, and returns its milliseconds. The service has counted its requests. */
async function nextPoll(lab: Lab, n8n: BenchN8n): Promise<number> {
	let begun: number;
	do {
		begun = (await n8n.pollsMs()).length;
		await lab.service.ask('traffic');
	} while ((await n8n.pollsMs()).some((ms) => ms === null));
	for (;;) {
		const ms = (await n8n.pollsMs())[begun];
		if (typeof ms === 'number') return ms;
		await sleep(100);
	}
}
