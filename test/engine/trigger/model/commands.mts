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
type Command = fc.AsyncCommand<object, TriggerHistory, true>;

/** What may happen: its name, what is drawn for it, and what it does. */
function command<T extends unknown[]>(
	name: string,
	drawn: { [K in keyof T]: fc.Arbitrary<T[K]> },
	run: (history: TriggerHistory, ...drawn: T) => Promise<void> | void,
): fc.Arbitrary<Command> {
	return fc.tuple<T>(...drawn).map((values) => ({
		check: async () => await Promise.resolve(true),
		async run(_, history) {
			if (!history.isConcurrent) await new Promise((resolve) => setTimeout(resolve, 1));
			await run(history, ...values);
			expect(history.n8n.failures).toEqual([]);
			const told = [...history.n8n.log, ...history.messages].join('\n');
			expect(told).not.toMatch(/[0-9a-f]{64}|s3cret|the-api-key/);
		},
		toString: () => `${name} ${JSON.stringify(values)}`,
	}));
}

/** n8n takes a changed trigger down and up again; of an unchanged one only the older engine takes notice. */
export async function publish(history: TriggerHistory, workflow: ModelWorkflow): Promise<void> {
	const { n8n } = history;
	const { isPublished, isConnected } = workflow;
	const isNew = n8n.engine === 'new';
	const isChanged = JSON.stringify(workflow.version) !== JSON.stringify(workflow.published);
	if (isNew && isConnected && !isChanged) return;
	// The new engine ended a failed publishing by itself.
	if (isNew ? isConnected : isPublished) await takeDown(history, workflow);
	workflow.isPublished = true;
	const { chosen: id } = workflow;
	const { url, active } = history.get(id);
	const { isCalm } = history;
	workflow.isConnected = await history.tell(workflow.publish(2));
	if (n8n.isDead) return;
	const isInUse = active && isForeign(url);
	if (isInUse && !workflow.options.takeOver) expect(workflow.isConnected).toBe(false);
	else if (isCalm) expect(workflow.isConnected).toBe(true);
	if (!workflow.isConnected) return;
	history.noteSaved(workflow);
	workflow.stayed.delete(id);
	if (history.isConcurrent) return;
	const stored = history.get(id);
	expect([workflow.has(stored.url), stored.active]).toEqual([true, true]);
	const { events } = workflow.parameters;
	expect([...(stored.events ?? [])].sort()).toEqual([...(events as string[])].sort());
	if (isInUse) expect(n8n.log.join()).toContain(`${id}: taken over from`);
	if (!isCalm) return;
	// What was chosen earlier is given back by now.
	for (const each of history.listOf(workflow))
		if (each !== id && !workflow.stayed.has(each))
			expect([history.get(each).active && !history.lost.has(each), each]).toEqual([false, each]);
}

export async function unpublish(history: TriggerHistory, workflow: ModelWorkflow): Promise<void> {
	if (!workflow.isPublished) return;
	workflow.isPublished = workflow.isConnected = false;
	const { n8n, requests, isCalm } = history;
	const { subscriptionId, options } = workflow;
	const { isDone, told } = await takeDown(history, workflow);
	// What to do is said there, too: publish and unpublish.
	workflow.isLeft = !isDone || n8n.isDead || /not found with|its URL lacks the token/.test(told);
	if (isCalm && !n8n.isDead) expect(isDone).toBe(true);
	if (workflow.isLeft) return;
	history.noteSaved(workflow);
	if (history.isConcurrent) return;
	if (options.onDeactivate === 'leave') return expect(history.requests).toEqual(requests);
	for (const id of history.listOf(workflow)) {
		const isLost = history.lost.has(id);
		if (id !== subscriptionId && (workflow.stayed.has(id) || isLost)) continue;
		// Paused, or nobody knows how it was.
		expect(history.get(id).active).toBe(false);
		if (options.onDeactivate !== 'pause') expect(isLost).toBe(true);
	}
}

/** @returns whether it succeeded, and what the log says */
async function takeDown(history: TriggerHistory, workflow: ModelWorkflow) {
	const { log } = history.n8n;
	const { choices, options, stayed } = workflow;
	const since = log.length;
	if (options.onDeactivate === 'leave') for (const id of history.listOf(workflow)) stayed.add(id);
	const isDone = await history.tell(workflow.unpublish());
	const told = log.slice(since).join();
	// People are told to publish and unpublish what was not found, and what could not be restored and nobody else knows.
	const isLeft = (id: string) =>
		told.includes(`${id}: not found with`) ||
		(history.rules.losesData && told.includes(`${id}: could not be restored`));
	for (const id of choices) if (isLeft(id)) stayed.add(id);
	return { isDone, told };
}

async function listen(history: TriggerHistory, workflow: ModelWorkflow): Promise<void> {
	if (workflow.isListening) return;
	const { chosen: id } = workflow;
	const before = history.get(id);
	const { isCalm } = history;
	const isListening = await history.tell(workflow.listen());
	if (history.isConcurrent || history.n8n.isDead) return;
	const isInUse = before.active && (isForeign(before.url) || workflow.has(before.url));
	if (isCalm) expect(isListening).toBe(!isInUse);
	// It takes nothing from production, or from another receiver, even with Take Over.
	if (isInUse) expect(history.get(id)).toEqual(before);
	if (!isListening) return;
	const { url, active } = history.get(id);
	expect([workflow.has(url, '/webhook-test/'), active]).toEqual([true, true]);
}

async function cancel(history: TriggerHistory, workflow: ModelWorkflow): Promise<void> {
	if (!workflow.isListening) return;
	const { log } = history.n8n;
	const since = log.length;
	// It never fails: n8n would go on listening.
	await workflow.endListening();
	if (history.isConcurrent || history.n8n.isDead) return;
	if (/not be restored|not found with/.test(log.slice(since).join())) return;
	const { url, active } = history.get(workflow.chosen);
	if (workflow.has(url, '/webhook-test/')) expect(active).toBe(false);
}

/** The older engine starts what is published, which changes nothing, whatever the service does. */
async function restart(history: TriggerHistory, isOther = false): Promise<void> {
	history.kill(isOther);
	const { ids, n8n, requests } = history;
	for (const workflow of history.workflows) {
		if (!workflow.isPublished || n8n.engine === 'new') continue;
		const { isCalm } = history;
		const { subscriptionId: id } = workflow;
		const since = n8n.log.length;
		await workflow.startOlder();
		const told = n8n.log.slice(since).join();
		if (isCalm && ids.includes(id))
			expect(told.includes(`${id}: left unchanged at the start of n8n`)).toBe(
				!workflow.has(history.get(id).url),
			);
	}
	expect(history.requests.slice(requests.length)).not.toContain('PATCH');
}

/** Where a test runs, n8n ends it before a person can choose. */
async function chooseOther(history: TriggerHistory, w: number): Promise<void> {
	const chosen = history.workflows[w];
	await cancel(history, chosen);
	chosen.change({ subscriptionId: chosen.choices.find((id) => id !== chosen.chosen) });
}

const steps = { publish, unpublish, listen, cancel };
type Step = keyof typeof steps;
const take = async (history: TriggerHistory, step: Step, w: number) =>
	await steps[step](history, history.workflows[w]);

const step = fc.constantFrom<Step>('publish', 'unpublish', 'listen', 'cancel');
const [workflow, subscription] = [fc.nat({ max: 1 }), fc.nat({ max: 3 })];
const events = fc.uniqueArray(fc.constantFrom(...allKinds), { minLength: 1, maxLength: 3 });
const whenUnpublished = fc.constantFrom('restore', 'pause', 'leave');

const doStep = command('a step:', [step, workflow], take);

/** Not waited for: n8n does one thing after another with one workflow, and all workflows at once. */
const beginStep = command('begin', [step, workflow], (history, name, w) =>
	history.begin(history.workflows[w], async () => await take(history, name, w)),
);

const change = command(
	'change events, Take Over and When Unpublished of',
	[workflow, events, fc.boolean(), whenUnpublished],
	({ workflows, rules }, w, chosen, takeOver, onDeactivate) => {
		const options = { takeOver, ...(rules.canStay ? { onDeactivate } : {}) };
		workflows[w].change({ events: chosen, options });
	},
);

const rename = command(
	'rename',
	[workflow, fc.constantFrom('On form', 'Trigger')],
	({ workflows }, w, name) => void (workflows[w].name = name),
);

const choose = command('choose the other subscription of', [workflow], chooseOther);

const express = command(
	'an expression chooses by now',
	[workflow, fc.constantFrom(0, 1, 2, 3, undefined)],
	({ workflows, rules, ids }, w, s) => {
		const { published } = workflows[w];
		// Without static data, nothing says which subscription was chosen before.
		if (!published || rules.losesData) return;
		published.parameters.subscriptionId = s === undefined ? '' : ids[s];
	},
);

const changeKey = command(
	'the API key is now',
	[fc.constantFrom('the-api-key', 'the-api-key-2')],
	({ workflows }, apiKey) => {
		for (const each of workflows) each.credential = { ...each.credential, apiKey };
	},
);

const deliver = command(
	'deliver',
	[subscription, fc.constantFrom(undefined, ...allKinds)],
	async (history, s, kind) => {
		const { n8n, workflows, rules } = history;
		const { url, active } = history.get(history.ids[s]);
		if (isForeign(url) || !active) return;
		const before = n8n.executions.length;
		const { status } = await n8n.deliver(url, { type: kind });
		await n8n.settle();
		const started = n8n.executions.slice(before);
		// With a new key and a service that does not respond: it is to be sent again.
		if (status === 503) return expect(started).toEqual([]);
		// With a new key, only the static data has the token.
		if (status === 401 && rules.losesData) return;
		for (const each of workflows) {
			const own = started.filter(({ trigger }) => trigger === each.id);
			const inProduction = own.filter(({ mode }) => mode === 'webhook').length;
			const chosen = each.published?.parameters.events as string[] | undefined;
			const isChosen = kind === undefined || chosen?.includes(kind);
			expect(own.length - inProduction).toBeLessThanOrEqual(1);
			expect(inProduction).toBeLessThanOrEqual(isChosen ? 1 : 0);
			if (each.has(url) && each.isConnected && isChosen) expect(inProduction).toBe(1);
		}
	},
);

const wait = command('seconds pass:', [fc.constantFrom(1, 10, 130)], async (history, seconds) => {
	await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
	// n8n ends a test run after two minutes.
	if (seconds > 120) for (const each of history.workflows) await cancel(history, each);
});

const edit = command(
	'a person edits',
	[subscription, fc.constantFrom('url', 'events', 'active', 'all'), events, fc.boolean()],
	(history, s, what, chosen, active) => {
		const all = { url: history.makeForeignUrl(), events: chosen, active };
		history.edit(history.ids[s], what === 'all' ? all : { [what]: all[what as 'url'] });
	},
);

const putBack = command(
	'n8n puts back older static data of',
	[workflow, fc.nat({ max: 9 })],
	(history, w, number) => {
		if (history.rules.losesData) history.putBack(history.workflows[w], number);
	},
);

const kill = command('n8n is started again, by its other main process:', [fc.boolean()], restart);

/** What n8n saves at the end of a step is lost then. */
const killWithin = command(
	'n8n is killed that many requests after it began:',
	[step, workflow, fc.nat({ max: 5 })],
	async (history, name, w, requests) => {
		history.killIn = requests;
		await take(history, name, w);
		history.killIn = Infinity;
		if (!history.n8n.isDead) return;
		history.workflows[w].isLeft = true;
		await restart(history);
	},
);

/** n8n 1 refuses it, because its URL is taken, and then ends it as if it had been published. */
const copy = command('a copy is refused of', [workflow], async (history, w) => {
	const { id, subscriptionId } = history.workflows[w];
	const { requests } = history;
	const made = new Trigger(history.n8n, subscriptionId, { id });
	await history.tell(made.hook('delete'));
	expect(history.requests.slice(requests.length)).not.toContain('PATCH');
});

const trouble = fc.constantFrom(...troubles);
const expectTrouble = command(
	'the next requests meet',
	[fc.array(fc.option(trouble, { nil: undefined }), { minLength: 1, maxLength: 4 })],
	(history, each) => void (history.troubles = [...each]),
);

/** Afterwards, a person may choose the other subscription. */
const outage = command(
	'all requests meet a trouble in a step, and then choose another:',
	[step, workflow, trouble, fc.boolean()],
	async (history, name, w, each, isOther) => {
		history.troubles = Array<typeof each>(99).fill(each);
		await take(history, name, w);
		history.troubles = [];
		if (isOther) await chooseOther(history, w);
	},
);

const way = command(
	'the service writes URLs:',
	[fc.constantFrom<Way>('unchanged', 'slash', 'lowered', 'port', 'encoded')],
	(history, now) => void (history.way = now),
);

export const anyCommand = [
	...[doStep, doStep, doStep, deliver, deliver, killWithin, killWithin, outage, outage],
	...[change, rename, choose, express, changeKey, wait, edit, putBack, kill, copy],
	...[expectTrouble, way],
];

/** What happens at once. A person who edits a subscription in the same moment would have the last word by chance. */
export const concurrentCommand = [beginStep, beginStep, beginStep, change, rename];
