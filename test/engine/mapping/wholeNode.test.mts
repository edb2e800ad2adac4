import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type * as mapping from '../../../nodes/parameters/mapping.ts';
import { entries } from '../engine.mts';
import { openStage } from '../stage.mts';
import { readFixtures } from '../updates/fixtures.mts';

/** Whether n8n evaluates everything. */
let isLeftToN8n = false;
/** Values that the node read without n8n. */
let read = 0;

jest.mock('../../../nodes/parameters/mapping.ts', () => {
	const actual = jest.requireActual<typeof mapping>('../../../nodes/parameters/mapping.ts');
	const compileParameter: typeof actual.compileParameter = (saved, path) => {
		const readItem = actual.compileParameter(saved, path);
		return (json, evaluate) => {
			if (isLeftToN8n) return evaluate(path);
			let isAsked = false;
			const value = readItem(json, (asked) => {
				isAsked = true;
				return evaluate(asked);
			});
			if (!isAsked) read++;
			return value;
		};
	};
	return { ...actual, compileParameter };
});

interface Saved {
	parameters: INodeParameters;
	items: IDataObject[];
	at?: string;
}

const stage = openStage();
beforeEach(() => entries.empty());
afterEach(() => void jest.restoreAllMocks());
// Otherwise the tests would show nothing.
afterAll(() => expect(read).toBeGreaterThan(300));

/** A workflow is saved with these. They choose what the panel shows, and no expression can. */
const fixed = ['resource', 'operation', 'matchOn', '__rl', 'mode', 'id', 'type'];

/** Of the run, which n8n never takes for expressions. */
fixed.push('concurrency', 'requestsPerSecond', 'report');

/** The same node with each value dragged from the item, in one of the forms that the editor writes. */
function drag(parameters: INodeParameters): { parameters: INodeParameters; fields: IDataObject } {
	const fields: IDataObject = {};
	const dragValue = (value: unknown, key: string): unknown => {
		if (fixed.includes(key)) return value;
		if (Array.isArray(value)) return value.map((each) => dragValue(each, ''));
		if (typeof value === 'object' && value !== null)
			return Object.fromEntries(
				Object.entries(value).map(([name, v]) => [name, dragValue(v, name)]),
			);
		if (typeof value === 'string' && value.startsWith('=')) return value;
		const count = Object.keys(fields).length;
		const name = count % 2 ? `field ${count}` : `field_${count}`;
		fields[name] = value as IDataObject[string];
		return count % 2 ? `={{ $json.dragged['${name}'] }}` : `={{ $json.dragged.${name} }}`;
	};
	return { parameters: dragValue(parameters, '') as INodeParameters, fields };
}

/** Made anew in each run. */
const withoutMadeKey = (body: string): string =>
	body.replace(/"idempotencyKey":"[\da-f]{8}-[\da-f-]{27}"/, '"idempotencyKey":"made"');

test.each(readFixtures<Saved>('operations'))(
	'%s sends and returns the same, whoever reads its values',
	async (_, saved) => {
		const { parameters, fields } = drag(saved.parameters);
		const items = [...saved.items, {}].map((json, item) => ({
			...json,
			// One item lacks what is dragged.
			dragged: item < saved.items.length ? fields : null,
		}));
		const run = async () => {
			stage.sandbox.reset();
			entries.empty();
			if (saved.at) jest.spyOn(Date, 'now').mockReturnValue(Date.parse(saved.at));
			const { output, hints, error } = await stage.run(parameters, items, {
				onError: 'continueRegularOutput',
			});
			jest.restoreAllMocks();
			const sent = stage.sandbox.requests.map(({ method, path, rawQuery, rawBody }) =>
				[method, path, rawQuery, withoutMadeKey(rawBody ?? '')].join(' '),
			);
			const errors = output.map(({ json }) => json.error);
			return { sent, errors, hints, error: error?.message };
		};
		isLeftToN8n = false;
		const ours = await run();
		isLeftToN8n = true;
		expect(ours).toEqual(await run());
	},
);
