import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTemporaryFolder, removeFolder } from '../../tools/temporary.mts';
import { Child } from '../child.mts';
import { IncompleteError, requireEach } from '../complete.mts';
import { reportOnDeliveries } from '../deliveryReport.mts';
import {
	minimalEntrance,
	ownEntrance,
	startedBy,
	webhookEntrance,
	type Entrance,
} from '../deliveryWorkflows.mts';
import type { Lab } from '../lab.mts';
import { installBenchPackage } from '../benchPackage.mts';
import type { BenchN8n } from '../n8n.mts';
import type { Sender } from '../sender.mts';
import { discard, endOf, readOutputs, waitForEnds } from '../startedExecutions.mts';
import type { Goal, Sample, Subject } from '../subject.mts';

const count = 50;
const roundsPerRun = 6;
const atOnce = 10;
/** How long n8n is left alone after the last response, so that it can finish its executions. */
const restMs = 500;
const names = { own: 'Page Audience Trigger', minimal: 'Minimal trigger', core: 'Webhook node' };
const goal: Goal = { side: names.own, against: names.minimal, atMost: 1.1 };

/** The same bodies for three triggers in one n8n, each followed by one node that does nothing. */
export async function deliveries(lab: Lab): Promise<Subject> {
	const userFolder = makeTemporaryFolder();
	installBenchPackage(userFolder);
	const n8n = await lab.startN8n(userFolder);
	const sender = new Child<Sender>('sender.mts');
	const subscriptionId = await lab.service.ask('freeSubscription');
	const ownUrl = async (): Promise<string> => await lab.service.ask('urlOf', subscriptionId);
	const entrances = {
		[names.own]: ownEntrance(n8n, subscriptionId, ownUrl),
		[names.minimal]: minimalEntrance(n8n),
		[names.core]: webhookEntrance(n8n),
	};
	const sides: Array<{ name: string; send: (some: number) => Promise<Sample> }> = [];
	for (const [name, entrance] of Object.entries(entrances)) {
		sides.push({ name, send: await openSide(n8n, sender, name, entrance) });
	}
	const title = `Deliveries, ${roundsPerRun} rounds of ${count} per run, ${atOnce} at once`;
	return {
		title,
		unit: 'ms',
		sides: sides.map(({ name, send }) => ({ name, run: async () => await send(count) })),
		goals: [goal],
		roundsPerRun,
		warmUp: async () => {
			for (const { send } of sides) await send(4 * count);
		},
		report: (results) =>
			reportOnDeliveries(results, { title, count, atOnce, goal, beside: names.core }),
		close: async () => {
			sender.stop();
			await n8n.stop();
			removeFolder(userFolder);
		},
	};
}

async function openSide(
	n8n: BenchN8n,
	sender: Child<Sender>,
	name: string,
	entrance: Entrance,
): Promise<(some: number) => Promise<Sample>> {
	const { client } = n8n;
	const id = await n8n.publish(startedBy(entrance, name, name));
	const url = await entrance.url();
	return async (some) => {
		const bodies = Array.from({ length: some }, makeBody);
		const { done: sent, reading } = await n8n.read(async () => {
			const texts = bodies.map((body) => JSON.stringify(body));
			const answers = await sender.ask('deliver', url, texts, atOnce);
			await sleep(restMs);
			return answers;
		});
		const refused = sent.statuses.filter((status) => status !== 200);
		if (refused.length) throw new IncompleteError(`got the responses ${refused.join(', ')}`);
		const executions = await waitForEnds(client, id, some);
		const outputs = await readOutputs(client, executions, name);
		// The Webhook node outputs the body next to headers and query.
		const started = outputs.map(({ id, body = { id } }) => String((body as { id: unknown }).id));
		requireEach(
			'Deliveries that started an execution',
			bodies.map(({ id }) => id),
			started,
		);
		await discard(client, executions);
		const { startedAt, answeredMs } = sent;
		return { value: endOf(executions) - startedAt, answeredMs, cpuMs: reading.cpuMs };
	};
}

/** A submitted form; all bodies have the same size. */
function makeBody() {
	return {
		id: randomUUID(),
		event: 'form.submitted',
		data: {
			pageId: 'page_01hzy0f3vq8w2k5m7n9p4r6s8t',
			personId: null,
			form: { name: 'Ada Example', email: 'ada@crm.example', company: 'Example Ltd', seats: 25 },
			message: 'Please call me about the plan for larger teams. '.repeat(8),
		},
	};
}
