import type { Case } from '../cases/index.mts';
import { describeCases } from '../cases/index.mts';
import { originOf } from '../engine.mts';
import { openStage } from '../stage.mts';

const stage = openStage();

const isWrite = ({ sends: [{ request }] }: Case) => !request.startsWith('GET ');
const dry = ({ parameters }: Case) => ({ ...parameters, options: { dryRun: true } });

test('shows the request of each item of every operation that writes, and sends none', async () => {
	const writes = describeCases(stage.sandbox).filter(isWrite);
	expect(writes.length).toBeGreaterThan(10);
	for (const each of writes) {
		const { output, error, hints } = await stage.run(dry(each), each.items);
		expect(error).toBeUndefined();
		expect(output.map(originOf)).toEqual([0, 1]);
		expect(output.map(({ json }) => json)).toEqual(
			each.sends.map(({ request, body }) => {
				const [method, path] = request.split(' ');
				return { dryRun: true, request: { method, path, query: {}, body: body ?? null } };
			}),
		);
		expect(hints).toContain('Dry run, nothing was changed: 2 would be written');
	}
	expect(stage.received).toEqual([]);
});

test('is not offered by operations that only read', async () => {
	const [read] = describeCases(stage.sandbox).filter((each) => !isWrite(each));
	const { output } = await stage.run(dry(read), read.items);
	expect(stage.received).toHaveLength(2);
	expect(output.every(({ json }) => !('dryRun' in json))).toBe(true);
});

const create = {
	resource: 'person',
	operation: 'create',
	name: '={{ $json.name }}',
	options: { dryRun: '={{ $json.dry }}' },
};

test('shows invalid items as a real run does, and counts them', async () => {
	const items = [{ name: 'Ann' }, { name: '' }, { name: 'Cy' }].map((item) => ({
		...item,
		dry: true,
	}));
	const stopped = await stage.run(create, items);
	expect(stopped.error?.message).toBe('Name is required [item 1]');
	const { output, errors, hints } = await stage.run(create, items, {
		onError: 'continueErrorOutput',
	});
	expect(output.map(originOf)).toEqual([0, 2]);
	expect(errors.map(originOf)).toEqual([1]);
	expect(hints).toContain(
		'Dry run, nothing was changed: 2 would be written, 1 failed (item 1, counted from 0)',
	);
	expect(stage.received).toEqual([]);
});

test('is not said of a run whose items are all invalid', async () => {
	const upsert = {
		resource: 'account',
		operation: 'upsert',
		domain: '={{ $json.domain }}',
		name: 'Acme',
	};
	const onError = 'continueErrorOutput';
	const { errors, hints } = await stage.run(upsert, [{}, {}], { onError });
	expect(errors.map(originOf)).toEqual([0, 1]);
	expect(hints).toContain('2 failed');
});

test('holds for the whole run, so that an item that means another one is neither sent nor shown', async () => {
	const onError = 'continueErrorOutput';
	for (const dry of [true, false]) {
		stage.sandbox.requests.length = 0;
		const items = [dry, dry, !dry].map((each, i) => ({ name: `Name ${i}`, dry: each }));
		const { output, errors } = await stage.run(create, items, { onError });
		expect(output.map(({ json }) => json.dryRun)).toEqual(
			dry ? [true, true] : [undefined, undefined],
		);
		expect(errors.map(({ json }) => json.error)).toEqual([
			'Options > Dry Run must be the same for all items [item 2]',
		]);
		expect(stage.received).toEqual(dry ? [] : Array(2).fill('POST /v0/persons'));
	}
});

test('is not taken for a write by a run again', async () => {
	const { contextData } = await stage.run(create, [{ name: 'Shown', dry: true }], {
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(JSON.stringify(contextData)).not.toContain('dryRun');
});

test('works for a tool, without a summary', async () => {
	const { output, hints } = await stage.run(create, [{ name: 'Ann', dry: true }], { asTool: true });
	expect(output.map(({ json }) => json)).toMatchObject([{ dryRun: true }]);
	expect(hints).toEqual([]);
	expect(stage.received).toEqual([]);
});

describe('a Dry Run that an expression leaves blank', () => {
	const blanks = [null, undefined, '', ' '];

	test('is refused before anything is sent, for every operation that writes', async () => {
		const refusal =
			/^Options > Dry Run is blank: set it to true or false, or remove it \[all 2 items\]$/;
		for (const { parameters, items } of describeCases(stage.sandbox).filter(isWrite)) {
			const blank = { ...parameters, options: { dryRun: '={{ $json.dry }}' } };
			for (const dry of blanks) {
				const { error } = await stage.run(
					blank,
					items.map((item) => ({ ...item, dry })),
				);
				expect(error?.message).toMatch(refusal);
			}
		}
		expect(stage.received).toEqual([]);
	});

	test.each([
		['of the first item, for all items', [{ name: 'Ann' }, { name: 'Bob', dry: false }]],
		['of another item, for that one', [{ name: 'Ann', dry: true }, { name: 'Bob' }]],
	])('%s is refused where the run continues', async (what, items) => {
		const { output } = await stage.run(create, items, { onError: 'continueRegularOutput' });
		const refused = output.map(({ json }) => /^Options > Dry Run/.test(String(json.error)));
		expect(refused).toEqual([what.startsWith('of the first'), true]);
		expect(stage.received).toEqual([]);
	});

	test('is off when it is not there', async () => {
		const options = { concurrency: 1 };
		const { hints } = await stage.run({ ...create, options }, [{ name: 'Ann' }, { name: 'Bob' }]);
		expect(hints).toEqual([]);
		expect(stage.received).toEqual(['POST /v0/persons', 'POST /v0/persons']);
	});
});
