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

test('work with several keys waits for each of them, and two that share some do not wait for each other', async () => {
	const order: string[] = [];
	const work = (keys: string[]) =>
		withKeyLock(keys, async () => {
			order.push(`${keys.join()} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			order.push(`${keys.join()} ends`);
		});
	await Promise.all([work(['a', 'b']), work(['b', 'a']), work(['b', 'c']), work(['d'])]);
	const others = order.filter((each) => !each.startsWith('d'));
	expect(others).toEqual(
		['a,b', 'b,a', 'b,c'].flatMap((keys) => [`${keys} begins`, `${keys} ends`]),
	);
	expect(order.indexOf('d begins')).toBeLessThan(order.indexOf('a,b ends'));
});
