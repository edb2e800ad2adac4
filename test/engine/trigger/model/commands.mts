import fc from 'fast-check';
import type { Trigger } from '../trigger.mts';
import {
	allKinds,
	isForeign,
	type Trouble,
	type Way,
	type Workflow,
	type World,
} from './world.mts';

/** All is kept in the world, so the model of fast-check is empty. */
export type Command = fc.AsyncCommand<object, World, true>;

function command(name: string, run: (world: World) => Promise<void> | void): Command {
	return {
		check: async () => await Promise.resolve(true),
		async run(_, world) {
			await run(world);
			expect(world.host.failures).toEqual([]);
			const told = [...world.host.log, ...world.messages].join('\n');
			expect(told).not.toMatch(/[0-9a-f]{64}|s3cret|the-api-key/);
		},
		toString: () => name,
	};
}

/** n8n takes a changed trigger down and up again; of an unchanged one only the older engine takes notice. */
export async function publish(world: World, workflow: Workflow): Promise<void> {
	const { trigger } = workflow;
	const { engine } = world;
	const now = JSON.stringify([trigger.name, trigger.parameters]);
	const before =
		trigger.published && JSON.stringify([trigger.published.name, trigger.published.parameters]);
	if (workflow.isPublished) {
		if (engine === 'new' && now === before && workflow.isConnected) return;
		if (readOnDeactivate(trigger) === 'leave') noteStay(world, workflow);
		await world.tell(async () => await trigger.unpublish());
	}
	workflow.isPublished = true;
	workflow.isConnected = await world.tell(async () => await trigger.publish({ engine, tries: 2 }));
	if (workflow.isConnected) workflow.stayed.delete(readSubscription(trigger));
}

export async function unpublish(world: World, workflow: Workflow): Promise<void> {
	if (!workflow.isPublished) return;
	const { trigger } = workflow;
	workflow.isPublished = workflow.isConnected = false;
	const { log } = world.host;
	const { requests } = world;
	const lines = log.length;
	const used = world.ids.filter((id) => isOf(trigger, world.get(id).url));
	const isDone = await world.tell(async () => await trigger.unpublish());
	const isMissing = log.slice(lines).some((line) => line.includes('not found (404)'));
	workflow.isLeft = !isDone || isMissing;
	const onDeactivate = readOnDeactivate(trigger);
	if (onDeactivate === 'leave') {
		noteStay(world, workflow);
		if (!world.isConcurrent) expect(world.requests).toBe(requests);
	}
	if (onDeactivate !== 'pause' || workflow.isLeft) return;
	if (!world.isConcurrent) await world.catchUp();
	for (const id of used) {
		if (workflow.stayed.has(id) && id !== readSubscription(trigger)) continue;
		const { url, active } = world.get(id);
		if (isOf(trigger, url)) expect(active).toBe(false);
	}
}

function readOnDeactivate({ published }: Trigger): string | undefined {
	return (published?.parameters.options as { onDeactivate?: string } | undefined)?.onDeactivate;
}

function readSubscription({ published }: Trigger): string {
	const chosen = published?.parameters.subscriptionId as string | { value: string } | undefined;
	return typeof chosen === 'object' ? chosen.value : (chosen ?? '');
}

function noteStay(world: World, { trigger, stayed }: Workflow): void {
	for (const id of world.ids) if (isOf(trigger, world.get(id).url)) stayed.add(id);
}

function isOf({ id }: Trigger, url: string): boolean {
	return new URL(url).pathname.toLowerCase().startsWith(`/webhook/${id}/`);
}

async function listen(world: World, { trigger }: Workflow): Promise<void> {
	if (!trigger.isListening) await world.tell(async () => await trigger.listen());
}

async function cancel(world: World, { trigger }: Workflow): Promise<void> {
	if (trigger.isListening) await world.tell(async () => await trigger.endListening());
}

const steps = { publish, unpublish, listen, cancel };

const [workflow, subscription] = [fc.nat({ max: 1 }), fc.nat({ max: 1 })];
const events = fc.uniqueArray(fc.constantFrom(...allKinds), { minLength: 1, maxLength: 3 });
const step = fc.constantFrom<keyof typeof steps>('publish', 'unpublish', 'listen', 'cancel');

const doStep = fc
	.tuple(step, workflow)
	.map(([name, w]) =>
		command(`${name} ${w}`, async (world) => await steps[name](world, world.workflows[w])),
	);

/** Begun and not waited for: n8n does one thing after another with one workflow, and all workflows at once. */
const beginStep = fc.tuple(step, workflow).map(([name, w]) =>
	command(`begin ${name} ${w}`, (world) => {
		world.begin(world.workflows[w], async () => await steps[name](world, world.workflows[w]));
	}),
);

const options = fc.record({
	takeOver: fc.boolean(),
	onDeactivate: fc.constantFrom('restore', 'pause', 'leave'),
});
const change = fc.tuple(workflow, events, options).map(([w, chosen, { takeOver, onDeactivate }]) =>
	command(`change ${w}: ${chosen.join()}, Take Over ${takeOver}, ${onDeactivate}`, (world) => {
		const { trigger } = world.workflows[w];
		const now = { takeOver, ...(world.canStay ? { onDeactivate } : {}) };
		trigger.parameters = { ...trigger.parameters, events: chosen, options: now };
	}),
);

const rename = fc.tuple(workflow, fc.constantFrom('On form', 'Trigger')).map(([w, name]) =>
	command(`rename ${w} to ${name}`, (world) => {
		world.workflows[w].trigger.name = name;
	}),
);

const express = fc.tuple(workflow, fc.constantFrom(0, 1, undefined)).map(([w, s]) =>
	command(`an expression of ${w} chooses ${s ?? 'nothing'} by now`, (world) => {
		const { published } = world.workflows[w].trigger;
		// Its deliveries carry the token of the subscription that was chosen before.
		world.workflows[w].isConnected = false;
		if (published) published.parameters.subscriptionId = s === undefined ? '' : world.ids[s];
	}),
);

const changeKey = fc.constantFrom('the-api-key', 'the-api-key-2').map((apiKey) =>
	command(`the API key is now ${apiKey}`, (world) => {
		for (const { trigger } of world.workflows)
			trigger.credential = { ...trigger.credential, apiKey };
	}),
);

const deliver = fc.tuple(subscription, fc.constantFrom(undefined, ...allKinds)).map(([s, kind]) =>
	command(`deliver ${kind ?? 'something'} by ${s}`, async (world) => {
		await world.catchUp();
		const { url, active } = world.get(world.ids[s]);
		if (isForeign(url) || !active) return;
		const before = world.host.executions.length;
		const { status } = await world.host.deliver(url, { type: kind });
		await world.host.settle();
		// With a new key and a service that does not respond: it is to be sent again.
		if (status === 503) return expect(world.host.executions).toHaveLength(before);
		const started = world.host.executions.slice(before);
		for (const { trigger, isConnected } of world.workflows) {
			const own = started.filter((each) => each.trigger === trigger.id);
			const inProduction = own.filter(({ mode }) => mode === 'webhook').length;
			expect(inProduction).toBeLessThanOrEqual(1);
			expect(own.length - inProduction).toBeLessThanOrEqual(1);
			const chosen = trigger.published?.parameters.events as string[] | undefined;
			const isChosen = kind === undefined || chosen?.includes(kind);
			if (!isChosen) expect(inProduction).toBe(0);
			// A person who paused it, or a test run of a paused one, keeps production from starting.
			const isPaused = new URL(url).searchParams.has('test');
			if (isOf(trigger, url) && isConnected && isChosen && !isPaused) expect(inProduction).toBe(1);
		}
	}),
);

const wait = fc.constantFrom(1_000, 10_000, 130_000).map((ms) =>
	command(`${ms / 1_000} seconds pass`, async (world) => {
		await new Promise((resolve) => setTimeout(resolve, ms));
		// n8n ends a test run after two minutes.
		if (ms > 120_000) for (const each of world.workflows) await cancel(world, each);
	}),
);

const edit = fc
	.tuple(subscription, fc.constantFrom('url', 'events', 'active', 'all'), events, fc.boolean())
	.map(([s, what, chosen, active]) =>
		command(`a person edits ${what} of ${s}: ${chosen.join()} ${active}`, async (world) => {
			await world.catchUp();
			const all = { url: world.makeForeignUrl(), events: chosen, active };
			world.edit(world.ids[s], what === 'all' ? all : { [what]: all[what as 'url'] });
			await world.catchUp();
		}),
	);

const kill = fc.constant(
	command('n8n is killed', async (world) => {
		world.kill();
		await world.catchUp();
	}),
);

/** n8n saves static data at the end of publishing and unpublishing, so a kill within these loses it. */
const killInTest = fc
	.tuple(fc.constantFrom('listen' as const, 'cancel' as const), workflow, fc.nat({ max: 5 }))
	.map(([name, w, requests]) =>
		command(`n8n is killed ${requests} requests after ${name} ${w} began`, async (world) => {
			world.killIn = requests;
			await steps[name](world, world.workflows[w]);
			const wasKilled = world.killIn <= 0;
			world.killIn = Infinity;
			if (!wasKilled) return;
			world.kill();
			await world.catchUp();
		}),
	);

const become = (change: fc.Arbitrary<Partial<Pick<World, 'troubles' | 'way' | 'lateMs'>>>) =>
	change.map((now) =>
		command(`the service: ${JSON.stringify(now)}`, (world) => {
			Object.assign(world, structuredClone(now));
		}),
	);

const anyTrouble = fc.constantFrom<Trouble>('down', 'lost', 'refused', 'not found');
const trouble = become(
	fc.record({
		troubles: fc.array(fc.option(anyTrouble, { nil: undefined }), { minLength: 1, maxLength: 4 }),
	}),
);
const way = become(
	fc.record({ way: fc.constantFrom<Way>('unchanged', 'slash', 'lowered', 'port', 'encoded') }),
);
const lateness = become(fc.record({ lateMs: fc.constantFrom(0, 50, 1_000, 5_000) }));

export const anyCommand = [
	doStep,
	doStep,
	doStep,
	change,
	rename,
	deliver,
	deliver,
	wait,
	express,
	changeKey,
	edit,
	kill,
	killInTest,
	trouble,
	way,
	lateness,
];

/** What happens at once. A person who edits a subscription in the same moment would have the last word by chance. */
export const concurrentCommand = [beginStep, beginStep, beginStep, change, rename, lateness];
