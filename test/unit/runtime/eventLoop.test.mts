import { mapYielding } from '../../../nodes/runtime/eventLoop.ts';

test('maps every element in order, with its index', async () => {
	expect(await mapYielding(['a', 'b', 'c'], (text, index) => `${text}${index}`)).toEqual([
		'a0',
		'b1',
		'c2',
	]);
});

test('maps no further element once the signal is aborted', async () => {
	const controller = new AbortController();
	const mapped = await mapYielding(
		[1, 2, 3, 4],
		(number) => {
			if (number === 2) controller.abort();
			return number * 10;
		},
		controller.signal,
	);
	expect(mapped).toEqual([10, 20]);
});
