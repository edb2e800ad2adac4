import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { runOnFakeClock } from '../clock.mts';
import { anyCommand, type Command, concurrentCommand } from './model/commands.mts';
import { checkEnd, endAll } from './model/rules.mts';
import type { Habit, Subscription } from './model/service.mts';
import { allKinds, World } from './model/world.mts';

/** `PROPERTY_RUNS=10000 npm test -- engine/trigger/model` plays ten thousand histories. */
const settings = generated(80);
jest.setTimeout(withinMs(settings));

const state: fc.Arbitrary<Subscription> = fc.record({
	url: fc.constantFrom('https://crm.example/in?key=s3cret', 'https://hooks.example/a/b'),
	events: fc.option(fc.uniqueArray(fc.constantFrom(...allKinds), { maxLength: 3 })),
	active: fc.boolean(),
});
const start = fc.record({
	states: fc.tuple(state, state),
	engine: fc.constantFrom('new' as const, 'older' as const),
	order: fc.shuffledSubarray([0, 1], { minLength: 2 }),
	habit: fc.constantFrom<Habit>('none', 'none', 'no https'),
});
interface Beginning {
	states: Subscription[];
	engine: 'new' | 'older';
	order: number[];
	habit: Habit;
}
const historyOf = (commands: Array<fc.Arbitrary<Command>>, maxCommands: number) =>
	fc.commands(commands, { maxCommands, size: 'max' });

/** One history in fake time, without sockets. */
async function play(
	{ states, engine, order, habit }: Beginning,
	run: (world: World) => Promise<void>,
): Promise<void> {
	// The older engine drops what a failed publishing has saved. So a service that refuses the URL, and then the undo as
	// well, leaves it inactive.
	const world = new World(states, engine, engine === 'older' ? 'none' : habit);
	try {
		await runOnFakeClock(
			async () => {
				await run(world);
				await world.host.settle();
				await endAll(world, order);
				checkEnd(world);
			},
			{ mostMs: 3_600_000 * 24 },
		);
	} finally {
		world.close();
	}
}

test('after every history each subscription is as its last foreign owner left it', async () => {
	await fc.assert(
		fc.asyncProperty(start, historyOf(anyCommand, 25), async (beginning, commands) => {
			await play(
				beginning,
				async (world) => await fc.asyncModelRun(() => ({ model: {}, real: world }), commands),
			);
		}),
		settings,
	);
});

test('the same holds with Pause and Leave, once Restore is chosen', async () => {
	await fc.assert(
		fc.asyncProperty(start, historyOf(anyCommand, 25), async (beginning, commands) => {
			await play(beginning, async (world) => {
				world.canStay = true;
				await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
			});
		}),
		settings,
	);
});

test('the same holds for what happens at once, in whatever order responses arrive', async () => {
	await fc.assert(
		fc.asyncProperty(
			start,
			historyOf(concurrentCommand, 12),
			fc.scheduler(),
			async (beginning, commands, scheduler) => {
				await play(beginning, async (world) => {
					world.isConcurrent = true;
					world.delay = async (what) => await scheduler.schedule(Promise.resolve(), what);
					await fc.scheduledModelRun(scheduler, () => ({ model: {}, real: world }), commands);
					await scheduler.waitFor(world.settle());
					world.delay = async () => await Promise.resolve();
				});
			},
		),
		settings,
	);
});
