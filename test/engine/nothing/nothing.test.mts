import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { operations } from '../../../tools/docs/parameters.mts';
import { setUpActionNode } from '../actionNodeSetup.mts';
import { entries, linkedTo, type RunResult } from '../engine.mts';
import { allEntries, type Answer, findEntry } from './answers.mts';
import { fillIn, getAt, type Leaf, listLeaves, setAt } from './leaves.mts';

/*
 * Every parameter of every operation, blank or saying nothing by expression for some items of a run. `answers.mts` says what
 * becomes of these items. The others do what they did without them.
 */

const setup = setUpActionNode();

const blanks = [null, undefined, '', ' '];
const words = ['null', 'undefined', '#N/A', '{{id}}'];
const containers = [[], {}];
const nothings = [...blanks, ...words, ...containers];
/** A script may be a template of its own, and `{}` is JSON. */
const isMeant = ({ name, properties }: Leaf, value: unknown) =>
	(name.endsWith('.content') && value === '{{id}}') ||
	(['json', 'assignmentCollection'].includes(String(properties.at(-1)?.type)) &&
		value === containers[1]);

/** Runs the operation with these values of `$json.value`, in a service and an n8n that know nothing of runs before. */
async function run(parameters: INodeParameters, asTool: boolean, values: unknown[]) {
	const { sandbox } = setup;
	if (sandbox.requests.some(({ method }) => method !== 'GET')) sandbox.store.reset();
	sandbox.requests.length = 0;
	entries.empty();
	const items = values.map((value) => ({ value }) as IDataObject);
	const onError = 'continueRegularOutput';
	const result = await setup.run(parameters, items, { onError, asTool });
	if (result.error) throw result.error;
	return {
		result,
		sent: sandbox.requests.map(({ method, path, query, body }) => ({ method, path, query, body })),
	};
}

/** What two items come to that have every value. Most parameters of an operation are filled in beside the same others. */
const usualRuns = new Map<string, ReturnType<typeof run>>();
async function runAsUsual(parameters: INodeParameters, asTool: boolean) {
	const key = JSON.stringify([parameters, asTool]);
	if (!usualRuns.has(key)) usualRuns.set(key, run(parameters, asTool, [1, 2]));
	return await usualRuns.get(key)!;
}

/** What an item came to that has no value. */
function classify({ output, hints }: RunResult, item: number): Answer {
	const [{ json = {} } = {}] = linkedTo(output, item);
	if (/ is required|must have 1 to/.test(String(json.error))) return 'required';
	if (json.error !== undefined) return 'refused';
	if (json.leftOut !== undefined) return 'left out';
	return hints.some((hint) => hint.includes('is blank, so this filter')) ? 'told' : 'not set';
}

/** A request without what was not set, and without moments and keys, which differ from run to run. */
function describeWithout(request: object, names: string[]): string {
	return JSON.stringify(request, (name, value: unknown) =>
		[...names, 'idempotencyKey'].includes(name) ? undefined : value,
	).replace(/\d{4}-\d\d-\d\dT[\w.:]+/g, 'a moment');
}

async function findAnswer(operation: Parameters<typeof fillIn>[1], leaf: Leaf): Promise<string> {
	const { parameters, asTool } = fillIn(setup.sandbox, operation, leaf);
	const isLocator = leaf.properties.at(-1)?.type === 'resourceLocator';
	const path = isLocator ? [...leaf.path, 'value'] : leaf.path;
	const good = getAt(parameters, path);
	const usual = await runAsUsual(parameters, asTool);
	setAt(parameters, path, '={{ $json.value }}');
	const values = nothings.filter((value) => !isMeant(leaf, value));
	const { result, sent } = await run(parameters, asTool, [good, ...values, good]);
	const found = values.map((_, i) => classify(result, i + 1));
	const [blank] = found;
	const isSet = ['required', 'refused'].includes(blank);
	const names = isSet ? [] : [String(leaf.path.at(-1)), ...[good].flat().map(String)];
	const [expected, actual] = [usual.sent, sent].map((requests) =>
		requests.map((each) => describeWithout(each, names)),
	);
	// The others come to what they came to without these items.
	const succeeded = [0, 1].map((item) => linkedTo(usual.result.output, item).map(() => undefined));
	const errors = [0, values.length + 1].map((item) =>
		linkedTo(result.output, item).map(({ json }) => json.error),
	);
	expect([leaf.name, errors]).toEqual([leaf.name, succeeded]);
	expect([leaf.name, actual.filter((each) => !expected.includes(each))]).toEqual([leaf.name, []]);
	if (isSet && found.every((each) => each === 'refused' || each === 'required'))
		expect([leaf.name, actual]).toEqual([leaf.name, expected]);
	const [ofBlanks, ofWords] = [
		found.slice(0, blanks.length),
		found.slice(blanks.length, values.indexOf(containers[0])),
	].map((answers) => [...new Set(answers)].join(' or '));
	if (ofWords === 'refused' || ofWords === 'required') return ofBlanks;
	if (ofBlanks !== 'not set') return found.join();
	return ofWords === 'not set' ? 'for the run' : ofWords;
}

test('every entry is of a parameter', () => {
	const used = operations.flatMap(({ name, operation }) =>
		listLeaves(operation.properties).map((leaf) => findEntry(name, leaf.name)[0]),
	);
	expect(new Set(used)).toEqual(new Set(allEntries));
});

test.each(operations)('$name', async (each) => {
	const leaves = listLeaves(each.operation.properties);
	const found: Record<string, string> = {};
	for (const leaf of leaves) found[leaf.name] = await findAnswer(each, leaf);
	expect(found).toEqual(
		Object.fromEntries(leaves.map(({ name }) => [name, findEntry(each.name, name)[1]])),
	);
});
