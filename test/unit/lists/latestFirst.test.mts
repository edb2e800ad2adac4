import { type Period, readLatestFirst, type TimedList } from '../../../nodes/lists/latestFirst.ts';

const hourMs = 3_600_000;

/** A list with a record every hour that reads `most` of a period at once, and notes what it is asked for. */
class Service {
	readonly asked: Period[] = [];
	readonly times: number[];
	readonly most: number;
	isWanted: TimedList['isWanted'] = () => true;

	constructor(count: number, most: number) {
		const now = Date.now();
		this.times = Array.from({ length: count }, (_, number) => now - (number + 0.5) * hourMs);
		this.most = most;
	}

	get list(): TimedList {
		return {
			read: async ({ startDate, endDate }) => {
				this.asked.push({ startDate, endDate });
				const from = startDate === undefined ? -Infinity : Date.parse(startDate);
				const to = endDate === undefined ? Infinity : Date.parse(endDate);
				const all = this.times.filter((at) => at >= from && at <= to);
				const records = all.slice(0, this.most).map((at) => ({ at }));
				return await Promise.resolve({ records, cut: all.length > records.length });
			},
			timeOf: ({ at }) => Number(at),
			isWanted: (record) => this.isWanted(record),
		};
	}
}

test('ends after sixty periods without a wanted record, and goes on from there', async () => {
	const service = new Service(5_000, 5);
	service.isWanted = ({ at }) => Number(at) < service.times[400];
	const first = await readLatestFirst(service.list);
	expect(first.records).toEqual([]);
	// And the whole list before them.
	expect(service.asked).toHaveLength(61);
	service.asked.length = 0;
	await readLatestFirst(service.list, first.token);
	expect(service.asked.length).toBeLessThanOrEqual(60);
	expect(Date.parse(service.asked[0].endDate ?? '')).toBeLessThan(service.times[0]);
});

test('reads no further period when fifty records are found', async () => {
	const service = new Service(400, 50);
	// Half a week holds more than are read at once, so that the period is cut to 42 hours.
	service.isWanted = ({ at }) => service.times.indexOf(Number(at)) < 50;
	const { records, token } = await readLatestFirst(service.list);
	expect(records).toHaveLength(50);
	const periods = service.asked.slice(1);
	const last = periods.at(-1)?.startDate ?? '';
	// The period with the fiftieth record is the last one.
	expect(Date.parse(last)).toBeLessThan(service.times[49]);
	expect(
		periods.filter(({ endDate }) => endDate && Date.parse(endDate) < service.times[49]),
	).toEqual([]);
	expect(token).toBeDefined();
});
