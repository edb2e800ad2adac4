import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../../tools/docs/parameters.mts';
import { setUpActionNode } from '../actionNodeSetup.mts';
import { allOperations, entries, linkedTo, type RunResult } from '../engine.mts';
import { type Answer, answers } from './answers.mts';
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

/** Runs the operation with one parameter by expression. */
function openRuns(operation: string, leaf: Leaf) {
	const { parameters, asTool } = fillIn(setup.sandbox, operation, leaf);
	const [resource, name] = operation.split('.');
	const given = getAt(parameters, leaf.path);
	const isLocator = leaf.properties.at(-1)?.type === 'resourceLocator';
	const good = isLocator ? (given as IDataObject).value : given;
	const expression = '={{ $json.value }}';
	setAt(
		parameters,
		leaf.path,
		isLocator ? { ...(given as object), value: expression } : expression,
	);
	const run = async (values: unknown[]) => {
		const { sandbox } = setup;
		sandbox.store.reset();
		sandbox.requests.length = 0;
		entries.empty();
		const items = values.map((value) => ({ value }) as IDataObject);
		const result = await setup.run({ ...parameters, resource, operation: name }, items, {
			onError: 'continueRegularOutput',
			asTool,
		});
		if (result.error) throw result.error;
		const sent = sandbox.requests.map(({ method, path, query, body }) => ({
			method,
			path,
			query,
			body,
		}));
		return { result, sent };
	};
	return { run, good };
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

async function findAnswer(operation: string, leaf: Leaf): Promise<Answer | string> {
	const { run, good } = openRuns(operation, leaf);
	const usual = await run([good, good]);
	const values = nothings.filter((value) => !isMeant(leaf, value));
	const { result, sent } = await run([good, ...values, good]);
	const found = values.map((_, i) => classify(result, i + 1));
	const [blank] = found;
	const isSet = ['required', 'refused'].includes(blank);
	const names = isSet ? [] : [String(leaf.path.at(-1)), ...[good].flat().map(String)];
	const [expected, actual] = [usual.sent, sent].map((requests) =>
		requests.map((each) => describeWithout(each, names)),
	);
	// The others come to what they came to without these items.
	for (const [item, other] of [
		[0, 0],
		[values.length + 1, 1],
	] as const)
		expect([leaf.name, linkedTo(result.output, item).map(({ json }) => json.error)]).toEqual([
			leaf.name,
			linkedTo(usual.result.output, other).map(() => undefined),
		]);
	expect([leaf.name, actual.filter((each) => !expected.includes(each))]).toEqual([leaf.name, []]);
	if (isSet && found.every((each) => each === 'refused' || each === 'required'))
		expect([leaf.name, actual]).toEqual([leaf.name, expected]);
	const ofWords = new Set(found.slice(blanks.length, values.indexOf(containers[0])));
	const ofBlanks = new Set(found.slice(0, blanks.length));
	const [only] = ofWords;
	if (ofBlanks.size > 1 || ofWords.size > 1) return found.join();
	if (only === 'left out') return blank === 'not set' ? 'left out' : found.join();
	if (only === 'not set') return blank === 'not set' ? 'for the run' : found.join();
	return only === 'refused' || only === 'required' ? blank : found.join();
}

test('every operation has answers', () => {
	expect(Object.keys(answers).sort()).toEqual([...allOperations].sort());
});

test.each(allOperations)('%s', async (name) => {
	const properties = operations.find((each) => each.name === name)?.operation.properties ?? [];
	const found: Record<string, string> = {};
	for (const leaf of listLeaves(properties)) found[leaf.name] = await findAnswer(name, leaf);
	const expected = Object.entries(answers[name] ?? {}).flatMap(([answer, names]) =>
		names
			.trim()
			.split(/\s+/)
			.map((each) => [each, answer]),
	);
	expect(found).toEqual(Object.fromEntries(expected));
});
