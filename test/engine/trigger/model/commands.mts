import fc from 'fast-check';
import { Trigger } from '../trigger.mts';
import {
	allKinds,
	isForeign,
	type ModelWorkflow,
	type TriggerHistory,
	troubles,
	type Way,
} from './history.mts';

/** All is kept in the history, so the model of fast-check is empty. */
export type Command = fc.AsyncCommand<object, TriggerHistory, true>;

function command(name: string, run: (history: TriggerHistory) => Promise<void> | void): Command {
	return {
		check: async () => await Promise.resolve(true),
		async run(_, history) {
			if (!history.isConcurrent) await new Promise((resolve) => setTimeout(resolve, 1));
			await run(history);
			expect(history.n8n.failures).toEqual([]);
			const told = [...history.n8n.log, ...history.messages].join('\n');
			expect(told).not.toMatch(/[0-9a-f]{64}|s3cret|the-api-key/);
		},
		toString: () => name,
	};
}

/** n8n takes a changed trigger down and up again; of an unchanged one only the older engine takes notice. */
export async function publish(history: TriggerHistory, workflow: ModelWorkflow): Promise<void> {
	const { trigger } = workflow;
	const { engine } = history;
	const now = JSON.stringify([trigger.name, trigger.parameters]);
	const before =
		trigger.published && JSON.stringify([trigger.published.name, trigger.published.parameters]);
	// The new engine ended a failed publishing by itself.
	if (workflow.isPublished && !(engine === 'new' && workflow.hasFailed)) {
		if (engine === 'new' && now === before && workflow.isConnected) return;
		const lines = history.n8n.log.length;
		if (readOptions(trigger).onDeactivate === 'leave') noteStay(history, workflow);
		await history.tell(async () => await trigger.unpublish());
		noteTold(history, workflow, lines);
	}
	workflow.isPublished = true;
	const id = readSubscription(trigger, 'now');
	const { url, active } = history.get(id);
	const isCalm = history.troubles.length === 0 && !history.isConcurrent;
	workflow.isConnected = await history.tell(
		async () => await trigger.publish({ engine, tries: 2 }),
	);
	workflow.hasFailed = !workflow.isConnected;
	if (history.n8n.isDead) return;
	const isInUse = active && isForeign(url);
	if (isInUse && !readOptions(trigger).takeOver) expect(workflow.isConnected).toBe(false);
	else if (isCalm) expect(workflow.isConnected).toBe(true);
	if (!workflow.isConnected) return;
	history.noteSaved(workflow);
	workflow.stayed.delete(id);
	if (history.isConcurrent) return;
	const stored = history.get(id);
	expect([isOf(trigger, stored.url), stored.active]).toEqual([true, true]);
	expect([...(stored.events ?? [])].sort()).toEqual(
		[...(trigger.parameters.events as string[])].sort(),
	);
	if (isInUse) expect(history.n8n.log.join()).toContain(`${id}: taken over from`);
	if (!isCalm) return;
	// What was chosen earlier is given back by now.
	for (const each of workflow.choices)
		if (each !== id && isOf(trigger, history.get(each).url) && !workflow.stayed.has(each))
			expect([history.get(each).active && !history.lost.has(each), each]).toEqual([false, each]);
}

export async function unpublish(history: TriggerHistory, workflow: ModelWorkflow): Promise<void> {
	if (!workflow.isPublished) return;
	const { trigger } = workflow;
	workflow.isPublished = workflow.isConnected = workflow.hasFailed = false;
	const { log } = history.n8n;
	const { requests } = history;
	const lines = log.length;
	const { onDeactivate } = readOptions(trigger);
	const isCalm = history.troubles.length === 0 && !history.isConcurrent;
	const id = readSubscription(trigger);
	if (onDeactivate === 'leave') noteStay(history, workflow);
	const isDone = await history.tell(async () => await trigger.unpublish());
	// What to do is said there, too: publish and unpublish.
	const isTold = log
		.slice(lines)
		.some((line) => /not found with|its URL lacks the token/.test(line));
	workflow.isLeft = !isDone || isTold || history.n8n.isDead;
	if (isCalm && !history.n8n.isDead) expect(isDone).toBe(true);
	noteTold(history, workflow, lines);
	if (workflow.isLeft) return;
	history.noteSaved(workflow);
	if (history.isConcurrent) return;
	if (onDeactivate === 'leave') return expect(history.requests).toBe(requests);
	for (const each of history.ids) {
		const { url, active } = history.get(each);
		const isOther = each !== id && (workflow.stayed.has(each) || history.lost.has(each));
		if (!isOf(trigger, url) || isOther) continue;
		// Paused, or nobody knows how it was.
		expect(active).toBe(false);
		if (onDeactivate !== 'pause') expect(history.lost.has(each)).toBe(true);
	}
}

/** People are told to publish and unpublish what was not found, and what could not be restored and nobody else knows. */
function noteTold(
	history: TriggerHistory,
	{ choices, stayed }: ModelWorkflow,
	since: number,
): void {
	const told = history.n8n.log.slice(since).join();
	const isLeft = (id: string) =>
		told.includes(`${id}: not found with`) ||
		(history.rules.losesData && told.includes(`${id}: could not be restored`));
	for (const each of choices) if (isLeft(each)) stayed.add(each);
}

function readOptions({ published, parameters }: Trigger) {
	const { options } = published?.parameters ?? parameters;
	return (options ?? {}) as { onDeactivate?: string; takeOver?: boolean };
}

function readSubscription({ published, parameters }: Trigger, which?: 'now'): string {
	const { subscriptionId } = which ? parameters : (published?.parameters ?? parameters);
	return typeof subscriptionId === 'object'
		? (subscriptionId as { value: string }).value
		: String(subscriptionId);
}

function noteStay(history: TriggerHistory, { trigger, stayed }: ModelWorkflow): void {
	for (const id of history.ids) if (isOf(trigger, history.get(id).url)) stayed.add(id);
}

function isOf({ id }: Trigger, url: string, path = '/webhook/'): boolean {
	return new URL(url).pathname.toLowerCase().startsWith(`${path}${id}/`);
}

async function listen(history: TriggerHistory, { trigger }: ModelWorkflow): Promise<void> {
	if (trigger.isListening) return;
	const id = readSubscription(trigger, 'now');
	const before = history.get(id);
	const isCalm = history.troubles.length === 0;
	const isListening = await history.tell(async () => await trigger.listen());
	if (history.isConcurrent || history.n8n.isDead) return;
	const isInUse = before.active && (isForeign(before.url) || isOf(trigger, before.url));
	if (isCalm) expect(isListening).toBe(!isInUse);
	// It takes nothing from production, or from another receiver, even with Take Over.
	if (isInUse) expect(history.get(id)).toEqual(before);
	if (!isListening) return;
	const { url, active } = history.get(id);
	expect([isOf(trigger, url, '/webhook-test/'), active]).toEqual([true, true]);
}

async function cancel(history: TriggerHistory, { trigger }: ModelWorkflow): Promise<void> {
	if (!trigger.isListening) return;
	const { log } = history.n8n;
	const lines = log.length;
	// It never fails: n8n would go on listening.
	await trigger.endListening();
	if (history.isConcurrent || history.n8n.isDead) return;
	if (log.slice(lines).some((line) => /not be restored|not found with/.test(line))) return;
	const { url, active } = history.get(readSubscription(trigger, 'now'));
	if (isOf(trigger, url, '/webhook-test/')) expect(active).toBe(false);
}

const steps = { publish, unpublish, listen, cancel };

const [workflow, subscription] = [fc.nat({ max: 1 }), fc.nat({ max: 3 })];
const events = fc.uniqueArray(fc.constantFrom(...allKinds), { minLength: 1, maxLength: 3 });
const step = fc.constantFrom<keyof typeof steps>('publish', 'unpublish', 'listen', 'cancel');

const doStep = fc
	.tuple(step, workflow)
	.map(([name, w]) =>
		command(`${name} ${w}`, async (history) => await steps[name](history, history.workflows[w])),
	);

/** Begun and not waited for: n8n does one thing after another with one workflow, and all workflows at once. */
const beginStep = fc.tuple(step, workflow).map(([name, w]) =>
	command(`begin ${name} ${w}`, (history) => {
		history.begin(
			history.workflows[w],
			async () => await steps[name](history, history.workflows[w]),
		);
	}),
);

const options = fc.record({
	takeOver: fc.boolean(),
	onDeactivate: fc.constantFrom('restore', 'pause', 'leave'),
});
const change = fc.tuple(workflow, events, options).map(([w, chosen, { takeOver, onDeactivate }]) =>
	command(`change ${w}: ${chosen.join()}, Take Over ${takeOver}, ${onDeactivate}`, (history) => {
		const { trigger } = history.workflows[w];
		const now = { takeOver, ...(history.rules.canStay ? { onDeactivate } : {}) };
		trigger.parameters = { ...trigger.parameters, events: chosen, options: now };
	}),
);

const rename = fc.tuple(workflow, fc.constantFrom('On form', 'Trigger')).map(([w, name]) =>
	command(`rename ${w} to ${name}`, (history) => {
		history.workflows[w].trigger.name = name;
	}),
);

const express = fc.tuple(workflow, fc.constantFrom(0, 1, 2, 3, undefined)).map(([w, s]) =>
	command(`an expression of ${w} chooses ${s ?? 'nothing'} by now`, (history) => {
		// Without static data, nothing says which subscription was chosen before.
		if (history.rules.losesData) return;
		const { published } = history.workflows[w].trigger;
		// Its deliveries carry the token of the subscription that was chosen before.
		history.workflows[w].isConnected = false;
		if (published) published.parameters.subscriptionId = s === undefined ? '' : history.ids[s];
	}),
);

/** Where a test runs, n8n ends it before a person can choose. */
async function chooseOther(history: TriggerHistory, each: ModelWorkflow): Promise<void> {
	const { trigger, choices } = each;
	await cancel(history, each);
	const subscriptionId = choices.find((id) => id !== readSubscription(trigger, 'now'));
	trigger.parameters = { ...trigger.parameters, subscriptionId };
}

const choose = workflow.map((w) =>
	command(
		`choose the other subscription of ${w}`,
		async (history) => await chooseOther(history, history.workflows[w]),
	),
);

const changeKey = fc.constantFrom('the-api-key', 'the-api-key-2').map((apiKey) =>
	command(`the API key is now ${apiKey}`, (history) => {
		for (const { trigger } of history.workflows)
			trigger.credential = { ...trigger.credential, apiKey };
	}),
);

const deliver = fc.tuple(subscription, fc.constantFrom(undefined, ...allKinds)).map(([s, kind]) =>
	command(`deliver ${kind ?? 'something'} by ${s}`, async (history) => {
		const { url, active } = history.get(history.ids[s]);
		if (isForeign(url) || !active) return;
		const before = history.n8n.executions.length;
		const { status } = await history.n8n.deliver(url, { type: kind });
		await history.n8n.settle();
		// With a new key and a service that does not respond: it is to be sent again.
		if (status === 503) return expect(history.n8n.executions).toHaveLength(before);
		// With a new key, only the static data has the token.
		if (status === 401 && history.rules.losesData) return;
		const started = history.n8n.executions.slice(before);
		for (const { trigger, isConnected } of history.workflows) {
			const own = started.filter((each) => each.trigger === trigger.id);
			const inProduction = own.filter(({ mode }) => mode === 'webhook').length;
			expect(inProduction).toBeLessThanOrEqual(1);
			expect(own.length - inProduction).toBeLessThanOrEqual(1);
			const chosen = trigger.published?.parameters.events as string[] | undefined;
			const isChosen = kind === undefined || chosen?.includes(kind);
			if (!isChosen) expect(inProduction).toBe(0);
			if (isOf(trigger, url) && isConnected && isChosen) expect(inProduction).toBe(1);
		}
	}),
);

const wait = fc.constantFrom(1_000, 10_000, 130_000).map((ms) =>
	command(`${ms / 1_000} seconds pass`, async (history) => {
		await new Promise((resolve) => setTimeout(resolve, ms));
		// n8n ends a test run after two minutes.
		if (ms > 120_000) for (const each of history.workflows) await cancel(history, each);
	}),
);

const edit = fc
	.tuple(subscription, fc.constantFrom('url', 'events', 'active', 'all'), events, fc.boolean())
	.map(([s, what, chosen, active]) =>
		command(`a person edits ${what} of ${s}: ${chosen.join()} ${active}`, async (history) => {
			const all = { url: history.makeForeignUrl(), events: chosen, active };
			history.edit(history.ids[s], what === 'all' ? all : { [what]: all[what as 'url'] });
		}),
	);

const putBack = fc.tuple(workflow, fc.nat({ max: 9 })).map(([w, number]) =>
	command(`n8n puts back older static data of ${w}: ${number}`, (history) => {
		if (history.rules.losesData) history.putBack(history.workflows[w], number);
	}),
);

/** The older engine starts what is published, which changes nothing, whatever the service does. */
async function restart(history: TriggerHistory, isOther = false): Promise<void> {
	history.kill(isOther);
	const { changes, ids } = history;
	const before = ids.map((id) => history.get(id));
	for (const { trigger, isPublished } of history.workflows) {
		if (!isPublished || history.engine === 'new') continue;
		const { length } = history.n8n.log;
		const isCalm = history.troubles.length === 0;
		const id = readSubscription(trigger);
		await trigger.startOlder();
		const isTold = history.n8n.log
			.slice(length)
			.some((line) => line.includes(`${id}: left unchanged at the start of n8n`));
		if (isCalm && ids.includes(id)) expect(isTold).toBe(!isOf(trigger, history.get(id).url));
	}
	expect(history.changes).toBe(changes);
	expect(ids.map((id) => history.get(id))).toEqual(before);
}

const kill = fc
	.boolean()
	.map((isOther) =>
		command(`n8n is started again${isOther ? ', by its other main process' : ''}`, (history) =>
			restart(history, isOther),
		),
	);

/** What n8n saves at the end of a step is lost then. */
const killWithin = fc.tuple(step, workflow, fc.nat({ max: 5 })).map(([name, w, requests]) =>
	command(`n8n is killed ${requests} requests after ${name} ${w} began`, async (history) => {
		history.killIn = requests;
		await steps[name](history, history.workflows[w]);
		const wasKilled = history.n8n.isDead;
		history.killIn = Infinity;
		if (!wasKilled) return;
		history.workflows[w].isLeft = true;
		await restart(history);
	}),
);

/** n8n 1 refuses it, because its URL is taken, and then ends it as if it had been published. */
const copy = workflow.map((w) =>
	command(`a copy of ${w} is refused`, async (history) => {
		const { trigger } = history.workflows[w];
		const { changes } = history;
		const made = new Trigger(history.n8n, readSubscription(trigger), { id: trigger.id });
		await history.tell(async () => void (await made.hook('delete')));
		expect(history.changes).toBe(changes);
	}),
);

const become = (change: fc.Arbitrary<Partial<Pick<TriggerHistory, 'troubles' | 'way'>>>) =>
	change.map((now) =>
		command(`the service: ${JSON.stringify(now)}`, (history) => {
			Object.assign(history, structuredClone(now));
		}),
	);

const trouble = become(
	fc.record({
		troubles: fc.array(fc.option(fc.constantFrom(...troubles), { nil: undefined }), {
			minLength: 1,
			maxLength: 4,
		}),
	}),
);

/** Afterwards, a person may choose the other subscription. */
const outage = fc
	.tuple(step, workflow, fc.constantFrom(...troubles), fc.boolean())
	.map(([name, w, each, isOther]) =>
		command(
			`${name} ${w}, while each request meets ${each}${isOther ? ', and choose' : ''}`,
			async (history) => {
				const chosen = history.workflows[w];
				history.troubles = Array<typeof each>(99).fill(each);
				await steps[name](history, chosen);
				history.troubles = [];
				if (isOther) await chooseOther(history, chosen);
			},
		),
	);

const way = become(
	fc.record({ way: fc.constantFrom<Way>('unchanged', 'slash', 'lowered', 'port', 'encoded') }),
);

export const anyCommand = [
	doStep,
	doStep,
	doStep,
	change,
	rename,
	choose,
	deliver,
	deliver,
	wait,
	express,
	changeKey,
	edit,
	kill,
	killWithin,
	killWithin,
	copy,
	putBack,
	outage,
	outage,
	trouble,
	way,
];

/** What happens at once. A person who edits a subscription in the same moment would have the last word by chance. */
export const concurrentCommand = [beginStep, beginStep, beginStep, change, rename];
