import { RequestFailedError } from '../../../nodes/api/failure.ts';
import { startLimit } from '../../../nodes/api/paginate.ts';
import { readPagesInParallel } from '../../../nodes/api/paginateParallel.ts';
import { waitFor } from '../../waitFor.mts';
import { respond } from './responding.mts';

/** A service with one list, read by offsets. */
class Service {
	asked: Array<{ offset: number; limit: number }> = [];
	list: Array<{ id: number }>;
	largestPage = 100;
	/** What it counts, where that is late. */
	counted?: number;
	/** Called before each response with the number of earlier ones. */
	before: (answers: number) => void = () => {};

	constructor(count: number) {
		this.list = Array.from({ length: count }, (_, id) => ({ id }));
	}

	fetchPage = async (
		query: Record<string, string | number | undefined>,
		_isAbandoned?: () => boolean,
	) => {
		const from = Number(query.offset ?? 0);
		const limit = Number(query.limit);
		this.before(this.asked.length);
		this.asked.push({ offset: from, limit });
		const items = this.list.slice(from, from + Math.min(limit, this.largestPage));
		const end = from + items.length;
		const hasMore = end < this.list.length;
		const totalCount = this.counted ?? this.list.length;
		const body = { items, totalCount, hasMore, nextOffset: hasMore ? end : null };
		return await Promise.resolve(respond({ body }));
	};

	read = async (wanted = Infinity) =>
		await readPagesInParallel({
			paging: 'offset',
			wanted,
			fetchPage: this.fetchPage,
			accepted: startLimit(),
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
	'returns a limit of %i, and requests at most four pages more than needed',
	async (wanted) => {
		const service = new Service(1000);
		const { records, cut } = await service.read(wanted);
		expect(records.map(({ id }) => id)).toEqual(ids(wanted));
		expect(cut).toBe(true);
		expect(service.asked).toHaveLength(Math.ceil(wanted / 100));
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

test.each([
	['counts it', false],
	['still counts as before', true],
])(
	'loses no record when one is added in front between pages that come out of order, and the service %s',
	async (_, isCountOld) => {
		const service = new Service(1000);
		if (isCountOld) service.counted = 1000;
		const { fetchPage } = service;
		let isAdded = false;
		service.fetchPage = async (query) => {
			if (query.offset === 300 && !isAdded) {
				isAdded = true;
				const isBehindAsked = () => service.asked.some(({ offset }) => offset === 400);
				await waitFor('the page behind it', isBehindAsked);
				service.list = [{ id: -1 }, ...service.list];
			}
			return await fetchPage(query);
		};
		const { records } = await service.read();
		const found = records.map(({ id }) => Number(id)).filter((id) => id >= 0);
		expect(found).toEqual(ids(1000));
	},
);

test('asks again for a page that came empty ahead of its turn, although there is more', async () => {
	const service = new Service(1000);
	const { fetchPage } = service;
	service.fetchPage = async (query, isAbandoned?: () => boolean) => {
		const response = await fetchPage(query);
		if (query.offset !== 300 || !isAbandoned) return response;
		return { ...response, body: { ...(response.body as object), items: [] } };
	};
	expect((await service.read()).records.map(({ id }) => id)).toEqual(ids(1000));
});

test('asks for nothing ahead where the service counts pages', async () => {
	const service = new Service(0);
	service.fetchPage = async ({ offset = 0, limit }) => {
		const page = Number(offset);
		service.asked.push({ offset: page, limit: Number(limit) });
		const items = ids(100, page * 100).map((id) => ({ id }));
		const body = { items, totalCount: 1000, hasMore: page < 9, nextOffset: page + 1 };
		return await Promise.resolve(respond({ body }));
	};
	expect((await service.read()).records.map(({ id }) => id)).toEqual(ids(1000));
	expect(service.asked.map(({ offset }) => offset)).toEqual(ids(10));
});

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
		const response = await fetchPage(query);
		return { ...response, body: { ...(response.body as object), totalCount: 450 } };
	};
	expect((await service.read()).records.map(({ id }) => id)).toEqual(ids(1000));
});

test('never treats records without an ID as duplicates', async () => {
	const service = new Service(0);
	for (const id of [undefined, null, '']) {
		service.list = Array.from({ length: 350 }, () => ({ id })) as never;
		expect((await service.read()).records).toHaveLength(350);
	}
});

test('reads 100,000 records', async () => {
	expect((await new Service(100_000).read()).records).toHaveLength(100_000);
});

describe('a totalCount that is not true', () => {
	/** A service that counts wrongly, and may refuse offsets past the end. */
	function counting(count: number, totalCount: number, refuses = false) {
		const service = new Service(count);
		const { fetchPage } = service;
		service.fetchPage = async (query) => {
			const response = await fetchPage(query);
			if (refuses && Number(query.offset ?? 0) > count) {
				const details = {
					status: 400,
					endpoint: 'GET',
					attempts: 1,
					maybeDone: false,
					repeated: false,
				};
				throw new RequestFailedError({ message: 'past the end', description: [], details });
			}
			return { ...response, body: { ...(response.body as object), totalCount } };
		};
		return service;
	}

	test.each([
		[230, 9007199254740991],
		[230, 100_000],
		[230, 0],
		[230, 201],
		[230, 229],
		[1000, 450],
	])(
		'%i records, counted as %i: all of them, and at most four requests too many',
		async (count, total) => {
			const service = counting(count, total);
			const { records } = await service.read();
			expect(records.map(({ id }) => id)).toEqual(ids(count));
			expect(service.asked.length).toBeLessThanOrEqual(Math.ceil(count / 100) + 4);
		},
	);

	test('with offsets past the end refused', async () => {
		const service = counting(230, 900, true);
		expect((await service.read()).records.map(({ id }) => id)).toEqual(ids(230));
	});

	test('an empty first page that promises more ends', async () => {
		const service = new Service(0);
		service.fetchPage = async (query) => {
			service.asked.push({ offset: Number(query.offset ?? 0), limit: 1 });
			const body = {
				items: [],
				totalCount: 50,
				hasMore: service.asked.length < 3,
				nextOffset: service.asked.length,
			};
			return await Promise.resolve(respond({ body }));
		};
		expect((await service.read()).records).toEqual([]);
		expect(service.asked).toHaveLength(3);
	});
});

test('throws what a page that is needed throws, with how far the list was read', async () => {
	const service = new Service(1000);
	const { fetchPage } = service;
	const abandoned: Array<() => boolean> = [];
	service.fetchPage = async (query, isAbandoned?: () => boolean) => {
		if (isAbandoned) abandoned.push(isAbandoned);
		if (query.offset === 300) {
			const details = {
				status: 500,
				endpoint: 'GET',
				attempts: 4,
				maybeDone: false,
				repeated: false,
			};
			throw new RequestFailedError({ message: 'broken', description: [], details });
		}
		return await fetchPage(query);
	};
	await expect(service.read()).rejects.toMatchObject({
		message: 'broken',
		details: { recordsRead: 300, lastPosition: 300 },
	});
	expect(abandoned.length).toBeGreaterThan(3);
	expect(abandoned.every((isAbandoned) => isAbandoned())).toBe(true);
});

test('abandons what it asked for ahead when the list ends, and waits for it', async () => {
	const service = new Service(230);
	let underWay = 0;
	const { records } = await readPagesInParallel({
		paging: 'offset',
		wanted: Infinity,
		accepted: startLimit(),
		concurrency: 5,
		fetchPage: async (query, isAbandoned) => {
			const response = await service.fetchPage(query);
			if (Number(query.offset ?? 0) > 230 && isAbandoned) {
				underWay++;
				await waitFor('the end of the list', isAbandoned);
				underWay--;
				throw new Error('abandoned');
			}
			return { ...response, body: { ...(response.body as object), totalCount: 900 } };
		},
	});
	expect(records).toHaveLength(230);
	expect(service.asked.length).toBeGreaterThan(3);
	expect(underWay).toBe(0);
});

test('keeps as many requests under way as it may, from the second page to the last', async () => {
	jest.useFakeTimers();
	try {
		const service = new Service(5_000);
		const { fetchPage } = service;
		service.fetchPage = async (query) => {
			await new Promise((resolve) => setTimeout(resolve, 10));
			return await fetchPage(query);
		};
		const began = Date.now();
		let tookMs = 0;
		const reading = service.read().finally(() => (tookMs = Date.now() - began));
		await jest.advanceTimersByTimeAsync(5_000);
		expect((await reading).records).toHaveLength(5_000);
		expect(service.asked).toHaveLength(50);
		// The first page alone, then 49 by fives.
		expect(tookMs).toBe(10 + 10 * 10);
	} finally {
		jest.useRealTimers();
	}
});
