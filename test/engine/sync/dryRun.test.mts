import type { IDataObject } from 'n8n-workflow';
import { type Case, describeCases } from '../cases/index.mts';
import { originOf } from '../engine.mts';
import { setUpActionNode } from '../actionNodeSetup.mts';

const setup = setUpActionNode();

const isWrite = ({ sends: [{ request }] }: Case) => !request.startsWith('GET ');

test('shows the request of each item of every operation that writes, and sends none', async () => {
	const writes = describeCases(setup.sandbox).filter(isWrite);
	expect(writes.length).toBeGreaterThan(10);
	for (const each of writes) {
		const options = { ...(each.parameters.options as object), dryRun: true };
		const dry = { ...each.parameters, options };
		const { output, error, hints } = await setup.run(dry, each.items);
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
	expect(setup.received).toEqual([]);
});

const create = {
	resource: 'person',
	operation: 'create',
	name: '={{ $json.name }}',
	options: { dryRun: '={{ $json.dry }}' },
};
const onError = 'continueErrorOutput';

test('shows invalid items as a real run does, and counts them', async () => {
	const items = ['Ann', '', 'Cy'].map((name) => ({ name, dry: true }));
	const { output, errors, hints } = await setup.run(create, items, { onError });
	expect(output.map(originOf)).toEqual([0, 2]);
	expect(errors.map(originOf)).toEqual([1]);
	expect(hints).toContain(
		'Dry run, nothing was changed: 2 would be written, 1 failed (item 1, counted from 0)',
	);
	const invalid = await setup.run(create, [{ dry: true }, { dry: true }], { onError });
	expect(invalid.hints).toContain('2 failed');
});

const differs = 'Options > Dry Run must be the same for all items [item 1]';
const blank = (item: number) =>
	`Options > Dry Run is blank: set it to true or false, or remove it [item ${item}]`;

test.each<[dry: IDataObject[], told: unknown[], sent: number]>([
	[[{ dry: true }, { dry: false }], [true, differs], 0],
	[[{ dry: false }, { dry: true }], [undefined, differs], 1],
	[[{ dry: true }, { dry: ' ' }], [true, differs], 0],
	// An expression that yields nothing must not send after all.
	[[{ dry: null }, { dry: false }], [blank(0), blank(1)], 0],
])('holds for the whole run: %j', async (dry, told, sent) => {
	const items = dry.map((each, item) => ({ name: `Name ${item}`, ...each }));
	const { output } = await setup.run(create, items, { onError: 'continueRegularOutput' });
	expect(output.map(({ json }) => json.error ?? json.dryRun)).toEqual(told);
	expect(setup.received).toHaveLength(sent);
});
