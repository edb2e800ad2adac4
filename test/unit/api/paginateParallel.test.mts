import { offset } from '../../../nodes/api/paginate.ts';
import { readPagesInParallel } from '../../../nodes/api/paginateParallel.ts';

/** A service with one list, read by offsets. */
class Service {
	asked: Array<{ offset: number; limit: number }> = [];
	list: Array<{ id: number }>;
	largestPage = 100;
	/** Called before each response with the number of earlier ones. */
	before: (answers: number) => void = () => {};

	constructor(count: number) {
		this.list = Array.from({ length: count }, (_, id) => ({ id }));
	}

	fetchPage = async (query: Record<string, string | number | undefined>) => {
		const from = Number(query.offset ?? 0);
		const limit = Number(query.limit);
		this.before(this.asked.length);
		this.asked.push({ offset: from, limit });
		const items = this.list.slice(from, from + Math.min(limit, this.largestPage));
		const end = from + items.length;
		const hasMore = end < this.list.length;
		const body = { items, totalCount: this.list.length, hasMore, nextOffset: hasMore ? end : null };
		return await Promise.resolve({ responded: true as const, status: 200, headers: {}, body });
	};

	read = async (wanted = Infinity) =>
		await readPagesInParallel({
			paging: offset,
			wanted,
			fetchPage: this.fetchPage,
			id: 'id',
			concurrency: 5,
		});
}

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, i) => i + from);

test.each([0, 1, 100, 101, 200, 201, 1000, 1001])(
	'reads all of %i records in order',
	async (count) => {
		const { records, cut, totalCount } = await new Service(count).read();
		expect(records.map(({ id }) => id)).toEqual(ids(count));
		expect({ cut, totalCount }).toEqual({ cut: false, totalCount: count });
	},
);

test.each([1, 99, 100, 101, 250, 300, 999])(
	'a limit of %i requests exactly that many',
	async (wanted) => {
		const service = new Service(1000);
		const { records, cut } = await service.read(wanted);
		expect(records.map(({ id }) => id)).toEqual(ids(wanted));
		expect(cut).toBe(true);
		expect(service.asked.reduce((sum, { limit }) => sum + limit, 0)).toBe(wanted);
	},
);

test("uses the service's page size when it is smaller", async () => {
	const service = new Service(1000);
	service.largestPage = 30;
	const { records } = await service.read();
	expect(records.map(({ id }) => id)).toEqual(ids(1000));
	expect(service.asked).toHaveLength(Math.ceil(1000 / 30));
});

test('fills pages that are cut shorter later on', async () => {
	const service = new Service(1000);
	service.before = (answers) => (service.largestPage = answers > 3 ? 17 : 100);
	expect((await service.read()).records.map(({ id }) => id)).toEqual(ids(1000));
});

test.each([1, 3, 7])(
	'loses and repeats no record when records are added in front after %i responses',
	async (when) => {
		const service = new Service(1000);
		service.before = (answers) => {
			if (answers === when) service.list = [{ id: -2 }, { id: -1 }, ...service.list];
		};
		const { records } = await service.read();
		const found = records.map(({ id }) => Number(id)).filter((id) => id >= 0);
		expect(found).toEqual(ids(1000));
	},
);

test('reads records that are added at the end meanwhile', async () => {
	const service = new Service(1000);
	service.before = (answers) => {
		if (answers === 5) for (const id of ids(150, 1000)) service.list.push({ id });
	};
	expect((await service.read()).records.map(({ id }) => id)).toEqual(ids(1150));
});

test('reads to the end when totalCount is too small', async () => {
	const service = new Service(1000);
	const { fetchPage } = service;
	service.fetchPage = async (query) => {
		const answer = await fetchPage(query);
		return { ...answer, body: { ...answer.body, totalCount: 450 } };
	};
	expect((await service.read()).records.map(({ id }) => id)).toEqual(ids(1000));
});

test('never treats records without an ID as duplicates', async () => {
	const service = new Service(0);
	service.list = Array.from({ length: 350 }, () => ({})) as never;
	expect((await service.read()).records).toHaveLength(350);
});

test('reads 100,000 records', async () => {
	expect((await new Service(100_000).read()).records).toHaveLength(100_000);
});
