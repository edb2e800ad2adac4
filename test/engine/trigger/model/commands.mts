import fc from 'fast-check';
import { pagesOption } from '../scene.mts';
import { checkAlways } from './rules.mts';
import type { Trouble, Way } from './service.mts';
import { allKinds, isForeign, type Workflow, type World } from './world.mts';

/** All is kept in the world, so the model of fast-check is empty. */
export type Command = fc.AsyncCommand<object, World, true>;

function command(name: string, run: (world: World) => Promise<void> | void): Command {
	return {
		check: async () => await Promise.resolve(true),
		async run(_, world) {
			await run(world);
			checkAlways(world);
		},
		toString: () => name,
	};
}

/** n8n takes a changed trigger down and up again; of an unchanged one only the older engine takes notice. */
export async function publish(world: World, workflow: Workflow): Promise<void> {
	const { trigger, engine } = workflow;
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
	const [lines, { requests }] = [log.length, world.service];
	const used = world.ids.filter((id) => isOf(trigger, world.get(id).url));
	const isDone = await world.tell(async () => await trigger.unpublish());
	const isMissing = log.slice(lines).some((line) => line.includes('not found (404)'));
	workflow.isLeft = !isDone || isMissing;
	const onDeactivate = readOnDeactivate(trigger);
	if (onDeactivate === 'leave') {
		noteStay(world, workflow);
		if (!world.isConcurrent) expect(world.service.requests).toBe(requests);
	}
	if (onDeactivate !== 'pause' || workflow.isLeft) return;
	if (!world.isConcurrent) await world.catchUp();
	for (const id of used) {
		if (workflow.stayed.has(id) && id !== readSubscription(trigger)) continue;
		const { url, active } = world.get(id);
		if (isOf(trigger, url)) expect(active).toBe(false);
	}
}

function readOnDeactivate({ published }: Workflow['trigger']): string | undefined {
	return (published?.parameters.options as { onDeactivate?: string } | undefined)?.onDeactivate;
}

function readSubscription({ published }: Workflow['trigger']): string {
	const chosen = published?.parameters.subscriptionId as string | { value: string } | undefined;
	return typeof chosen === 'object' ? chosen.value : (chosen ?? '');
}

function noteStay(world: World, { trigger, stayed }: Workflow): void {
	for (const id of world.ids) if (isOf(trigger, world.get(id).url)) stayed.add(id);
}

function isOf({ id }: Workflow['trigger'], url: string): boolean {
	return new URL(url).pathname.toLowerCase().startsWith(`/webhook/${id}/`);
}

async function listen(world: World, { trigger }: Workflow): Promise<void> {
	if (!trigger.isListening) await world.tell(async () => await trigger.listen());
}

async function cancel(world: World, { trigger }: Workflow): Promise<void> {
	if (trigger.isListening) await world.tell(async () => await trigger.endListening());
}

const steps = { publish, unpublish, listen, cancel };
type Step = keyof typeof steps;

const workflow = fc.nat({ max: 1 });
const subscription = fc.nat({ max: 1 });
const events = fc.uniqueArray(fc.constantFrom(...allKinds), { minLength: 1, maxLength: 3 });
const step = fc.constantFrom<Step>('publish', 'unpublish', 'listen', 'cancel');

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

const pages = ['page_1', 'page_2'];

const change = fc
	.tuple(
		workflow,
		events,
		fc.boolean(),
		fc.constantFrom('restore', 'pause', 'leave'),
		fc.subarray(pages),
		fc.constantFrom('one', 'perEvent'),
	)
	.map(([w, chosen, takeOver, onDeactivate, chosenPages, outputs]) =>
		command(
			`change ${w} to ${chosen.join()}${takeOver ? ', Take Over' : ''}, ${onDeactivate}, ${chosenPages.join() || 'all pages'}, outputs ${outputs}`,
			(world) => {
				const { trigger } = world.workflows[w];
				trigger.parameters = {
					...trigger.parameters,
					events: chosen,
					outputs,
					options: {
						takeOver,
						pages: pagesOption(...chosenPages),
						...(world.canStay ? { onDeactivate } : {}),
					},
				};
			},
		),
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

const deliver = fc
	.tuple(
		subscription,
		fc.constantFrom(undefined, ...allKinds),
		fc.constantFrom(undefined, ...pages),
		fc.nat(),
	)
	.map(([s, kind, pageId, n]) =>
		command(`deliver ${kind ?? 'something'} of ${pageId ?? 'no page'} by ${s}`, async (world) => {
			await world.catchUp();
			const { url, active } = world.get(world.ids[s]);
			if (isForeign(url) || !active) return;
			const before = world.host.executions.length;
			const { pathname, search } = new URL(url);
			const { status } = await world.host.handle({
				method: 'POST',
				url: pathname + search,
				headers: { 'content-type': 'application/json' },
				body: Buffer.from(JSON.stringify({ type: kind, pageId, n })),
			});
			await world.host.settle();
			// With a new key and a service that does not respond: it is to be sent again.
			if (status === 503) return expect(world.host.executions).toHaveLength(before);
			const started = world.host.executions.slice(before);
			for (const each of world.workflows) {
				const own = started.filter(({ trigger }) => trigger === each.trigger.id);
				const inProduction = own.filter(({ mode }) => mode === 'webhook').length;
				expect(inProduction).toBeLessThanOrEqual(1);
				expect(own.length - inProduction).toBeLessThanOrEqual(1);
				const isHere = isOf(each.trigger, url);
				const chosen = each.trigger.published?.parameters.events as string[] | undefined;
				const isPage = pageId === undefined || isChosenPage(each.trigger, pageId);
				const isChosen = (kind === undefined || chosen?.includes(kind)) && isPage;
				if (!isChosen) expect(inProduction).toBe(0);
				// A person who paused it, or a test run of a paused one, keeps production from starting.
				const isPaused = new URL(url).searchParams.has('test');
				if (isHere && each.isConnected && isChosen && !isPaused) expect(inProduction).toBe(1);
			}
		}),
	);

function isChosenPage({ published }: Workflow['trigger'], pageId: string): boolean {
	const { options } = published?.parameters ?? {};
	const { page = [] } = (options as { pages?: { page: unknown[] } } | undefined)?.pages ?? {};
	return page.length === 0 || JSON.stringify(page).includes(pageId);
}

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

const trouble = fc
	.array(
		fc.option(fc.constantFrom<Trouble>('down', 'lost', 'refused', 'not found'), { nil: undefined }),
		{ minLength: 1, maxLength: 4 },
	)
	.map((troubles) =>
		command(`next requests: ${troubles.map((each) => each ?? 'good').join(', ')}`, (world) => {
			world.service.troubles = [...troubles];
		}),
	);

const write = fc
	.constantFrom<Way>('unchanged', 'slash', 'lowered', 'port', 'encoded')
	.map((way) => command(`the service writes URLs ${way}`, (world) => world.setWay(way)));

const lateness = fc.constantFrom(0, 50, 1_000, 5_000).map((ms) =>
	command(`the service shows changes up to ${ms} ms late`, (world) => {
		world.service.lateMs = ms;
	}),
);

const setClock = fc.integer({ min: -10, max: 10 }).map((days) =>
	command(`the clock of n8n is set by ${days} days`, () => {
		jest.setSystemTime(Date.now() + days * 86_400_000);
	}),
);

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
	write,
	lateness,
	setClock,
];

/** What happens at once. A person who edits a subscription in the same moment would have the last word by chance. */
export const concurrentCommand = [beginStep, beginStep, beginStep, change, rename, lateness];
