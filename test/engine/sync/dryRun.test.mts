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
		expect(hints).toContain('Dry run, nothing was changed: 2 would be sent');
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
	expect(hints).toContain('Dry run, nothing was changed: 2 would be sent, 1 failed (item 1)');
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
	expect(hints).toContain('2 failed (items 0 and 1)');
});

test('is chosen for each item, and is not taken for a write by a run again', async () => {
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 400 });
	const items = [
		{ name: 'Sent', dry: false },
		{ name: 'Shown', dry: true },
	];
	const { output, contextData, hints } = await stage.run(create, items, {
		onError: 'continueRegularOutput',
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
	});
	expect(output.map(({ json }) => json.dryRun ?? json.name)).toEqual(['Sent', true]);
	expect(stage.received).toEqual(['POST /v0/persons', 'POST /v0/persons']);
	expect(hints).toContain('1 written, 1 would be sent');
	expect(JSON.stringify(contextData)).not.toContain('dryRun');
});

test('works for a tool, without a summary', async () => {
	const { output, hints } = await stage.run(create, [{ name: 'Ann', dry: true }], { asTool: true });
	expect(output.map(({ json }) => json)).toMatchObject([{ dryRun: true }]);
	expect(hints).toEqual([]);
	expect(stage.received).toEqual([]);
});
