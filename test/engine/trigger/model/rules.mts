import { publish, unpublish } from './commands.mts';
import { loosen, type World } from './world.mts';

/** What holds after every step. */
export function checkAlways(world: World): void {
	expect(world.host.failures).toEqual([]);
	const told = [...world.host.log, ...world.messages].join('\n');
	expect(told).not.toMatch(/[0-9a-f]{64}|s3cret|the-api-key/);
}

/**
 * The service is up again, and all that is published or was left behind is ended, in the given order: as people do who
 * read the log.
 */
export async function endAll(world: World, order: number[]): Promise<void> {
	world.service.troubles = [];
	world.service.lateMs = 0;
	world.kill();
	await world.catchUp();
	const workflows = order.map((index) => world.workflows[index]);
	for (const each of workflows) {
		// What a killed test run left is ended by the next one.
		await world.tell(async () => await each.trigger.listen());
		if (each.trigger.isListening) await each.trigger.endListening();
	}
	for (const each of workflows) {
		if (each.isLeft) await publish(world, each);
		await unpublish(world, each);
	}
	// What stayed is restored by publishing and unpublishing with Restore.
	for (const { trigger } of world.canStay ? workflows : []) {
		if (!trigger.published) continue;
		trigger.parameters = { ...trigger.parameters, options: { takeOver: true } };
		await world.tell(async () => await trigger.publish());
		await world.tell(async () => await trigger.unpublish());
	}
}

/** What holds when all is unpublished and the service is up. */
export function checkEnd(world: World): void {
	for (const id of world.ids) {
		const now = world.get(id);
		const expected = world.expected.get(id);
		if (expected && JSON.stringify(loosen(now)) === JSON.stringify(loosen(expected))) continue;
		expect({ id, ...loosen(now) }).toEqual({ id, ...(expected && loosen(expected)) });
	}
}
