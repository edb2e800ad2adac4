import {
	listDueTimes,
	openReadings,
} from '../../../nodes/PageAudience/resources/audienceSession/sessionReadings.ts';
import { path } from '../../../nodes/api/path.ts';

const request = { method: 'GET', path: path`/pages/${'page_1'}/audience_sessions` } as const;

afterEach(() => void jest.restoreAllMocks());

test.each([
	[0, [0]],
	[1_000, [0, 1_000]],
	[2_000, [0, 2_000]],
	[5_000, [0, 2_000, 5_000]],
	[60_000, [0, 2_000, 5_000, 9_500, 16_250, 26_375, 41_375, 56_375, 60_000]],
])('a wait of %d ms reads the list after pauses that grow, and at its end', (waitMs, times) => {
	expect(listDueTimes(waitMs)).toEqual(times);
});

/** A list that takes so long to read, and how long was waited before each reading. */
function openCall(readMs: number) {
	let now = 1_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const waits: number[] = [];
	let read = 0;
	const wait = async (ms: number) => {
		waits.push(ms);
		now += ms;
		await Promise.resolve();
	};
	const readAll = async () => {
		now += readMs;
		return await Promise.resolve([{ reading: ++read }]);
	};
	return { waits, call: { wait, openList: () => ({ readAll }) } as never };
}

test.each([
	['no time', 0, [2_000, 3_000, 1_000]],
	['less than a pause', 500, [2_000, 2_500, 500]],
	['longer than a pause', 4_000, [2_000, 0, 0]],
])(
	'readings are due from the end of the first one, if each takes %s',
	async (_, readMs, expected) => {
		const { call, waits } = openCall(readMs);
		const take = openReadings(request, 6_000);
		for (const turn of [0, 1, 2, 3])
			expect(await take(turn, call)).toEqual([{ reading: turn + 1 }]);
		expect(waits).toEqual(expected);
		expect(await take(4, call)).toBeUndefined();
	},
);

test('items that wait share each reading', async () => {
	const { call, waits } = openCall(0);
	const take = openReadings(request, 2_000);
	for (const turn of [0, 1]) {
		const [one, other] = await Promise.all([take(turn, call), take(turn, call)]);
		expect(one).toBe(other);
	}
	expect(waits).toEqual([2_000]);
});
