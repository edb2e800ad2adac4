import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { generated, withinMs } from '../../generated.mts';
import { entries, type RunResult } from '../engine.mts';
import { runOffline } from '../offline.mts';

/** Items of a run that fails, and is retried after its workflow was corrected. */
interface Scenario {
	operation: 'create' | 'sync';
	items: Array<{
		/** Whether an earlier execution has written the record. */
		isKnown: boolean;
		/** Whether the item has other values in the Retry. */
		isChanged: boolean;
	}>;
	/** The item that the service refuses at first. */
	refused: number;
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
	operation: fc.constantFrom('create' as const, 'sync' as const),
	items: fc.array(fc.record({ isKnown: fc.boolean(), isChanged: fc.boolean() }), {
		minLength: 2,
		maxLength: 7,
	}),
	refused: fc.nat({ max: 6 }),
});

const version = '={{ $json.version }}';
const corrected = '={{ $json.version + ($json.isChanged ? " corrected" : "") }}';

function makeParameters(operation: Scenario['operation'], value: string): INodeParameters {
	const options = { concurrency: 1, maxRetries: 0 };
	if (operation === 'create') return { resource: 'person', operation, name: value, options };
	return {
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		payloadMode: 'inputItem',
		write: 'changed',
		recordId: '={{ $json.id }}',
		recordVersion: value,
		options,
	};
}

/** The number of the item that a request is for. */
function readItem(body: unknown): number {
	const { name, payload } = body as { name?: string; payload?: IDataObject };
	return Number(name?.split(' ', 1)[0] ?? payload?.id);
}

async function judge({ operation, items, refused }: Scenario): Promise<void> {
	entries.empty();
	const json = items.map((item, id) => ({ ...item, id, version: `${id} first` }));
	let sent: number[] = [];
	const run = async (
		value: string,
		input: IDataObject[],
		failing?: number,
		retryOf?: RunResult,
	): Promise<RunResult> => {
		sent = [];
		return await runOffline({
			parameters: makeParameters(operation, value),
			items: input,
			retryOf,
			answer: ({ body }) => {
				const item = readItem(body);
				if (item === failing) return { status: 422, body: { error: 'Refused' } };
				sent.push(item);
				return { status: 201, body: { personId: `p${item}`, personLogId: `l${item}` } };
			},
		});
	};
	const isSkipped = (item: number) => operation === 'sync' && items[item].isKnown;
	const known = json.filter(({ id }) => isSkipped(id));
	if (known.length > 0) await run(version, known);
	const first = await run(version, json, refused);
	if (!first.error) return;
	const before = sent;
	const retry = await run(corrected, json, undefined, first);
	expect(retry.error).toBeUndefined();
	const kept = before.filter((item) => items[item].isChanged);
	const rest = kept.length > 3 ? ` and ${kept.length - 3} more` : '';
	const named = kept.slice(0, 3).join(', ') + rest;
	const told = retry.hints.filter((hint) => hint.includes('with other values'));
	const names = told.map((hint) =>
		/\(items? (.*), counted from 0\)$/.exec(hint)?.[1].replace(/ and (?=\d+$)/, ', '),
	);
	expect(told.map((hint) => Number(hint.split(' ', 1)[0]))).toEqual(
		kept.length ? [kept.length] : [],
	);
	expect(names).toEqual(kept.length ? [named] : []);
	// What was not sent before is sent as it is now, unless it is as it was.
	expect(sent).toEqual(
		json
			.map(({ id }) => id)
			.filter((id) => !before.includes(id) && !(isSkipped(id) && !items[id].isChanged)),
	);
}

const settings = generated(150, 0.01);
test(
	'counts the items that were sent with other values in a run before',
	async () => await fc.assert(fc.asyncProperty(scenarios, judge), settings),
	withinMs(settings),
);
