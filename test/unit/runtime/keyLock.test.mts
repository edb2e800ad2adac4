import { withKeyLock } from '../../../nodes/runtime/keyLock';

/** The locks of this process. */
async function findLocks(): Promise<Map<string, unknown>> {
	const set = jest.spyOn(Map.prototype, 'set');
	await withKeyLock('any', async () => {});
	const { calls, contexts } = set.mock;
	const at = calls.findIndex(([key]) => key === 'any');
	set.mockRestore();
	return contexts[at] as Map<string, unknown>;
}

test('work with one key goes one after the other, and nothing is kept of it', async () => {
	const locks = await findLocks();
	const order: string[] = [];
	const work = (name: string, fails = false) =>
		withKeyLock('one', async () => {
			order.push(`${name} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			order.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		});
	const results = await Promise.allSettled([work('a'), work('b', true), work('c')]);
	expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
	expect(results).toMatchObject([{ value: 'a' }, { reason: new Error('b') }, { value: 'c' }]);
	expect(locks.size).toBe(0);
});
