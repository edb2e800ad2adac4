import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../nodes/PageAudience/PageAudience.node.ts';
import { findCase, operationNames } from './cases/index.mts';
import { openStage } from './stage.mts';

type Preview = { type: string; properties?: Record<string, Preview>; items?: Preview };

const stage = openStage();

const folder = join(import.meta.dirname, '../../nodes/PageAudience/__schema__/v1.0.0');
const readPreview = (operation: string): Preview =>
	JSON.parse(readFileSync(join(folder, `${operation.replace('.', '/')}.json`), 'utf8')) as Preview;

/** Fields that the API documents as optional. */
const optional = ['headerActionId', 'metadata', 'effectiveMetadata', 'metadataOverride'];

/** The places where a value differs from its preview. Null and missing values fit any preview. */
function findDeviations(value: unknown, preview: Preview, place = ''): string[] {
	if (value === null || value === undefined) return [];
	const isList = Array.isArray(value);
	const type = isList ? 'array' : typeof value;
	const isSame = type === preview.type || (type === 'number' && preview.type === 'integer');
	if (!isSame) return [`${place}: ${type} and not ${preview.type}`];
	if (isList)
		return value.flatMap((each) =>
			findDeviations(each, preview.items ?? { type: 'object' }, `${place}[]`),
		);
	if (type !== 'object' || !preview.properties) return [];
	const { properties } = preview;
	return Object.entries(value).flatMap(([name, member]) =>
		name in properties
			? findDeviations(member, properties[name], `${place}.${name}`)
			: [`${place}.${name}: not in the preview`],
	);
}

/** How operations of several reads come to a record. Those that write have tests of their own. */
function describeReads(): Record<string, { parameters: INodeParameters; items: IDataObject[] }> {
	const { pages, sessions, subscriptions } = stage.sandbox.store;
	const [{ pageId }] = pages.all();
	const [one, two] = sessions.of(pageId);
	for (const session of [one, two]) session.sessionStartedAt = new Date().toISOString();
	const ids = subscriptions.all().map(({ subscriptionId }) => subscriptionId);
	return {
		'audienceSession.getByFormSubmission': {
			parameters: { pageId },
			items: [{ id: one.audienceSessionId }, { id: two.audienceSessionId }],
		},
		'webhookSubscription.check': {
			parameters: { subscriptionId: '={{ $json.id }}' },
			items: [{ id: ids[0] }, { id: ids[1] }],
		},
	};
}

test('every operation of several reads has a case', () => {
	const reads = resources.flatMap(({ option, operations }) =>
		operations
			.filter(({ uses, writes }) => uses && !writes)
			.map((operation) => `${option.value}.${operation.option.value}`),
	);
	expect(Object.keys(describeReads()).sort()).toEqual(reads.sort());
});

test.each(['audienceSession.getByFormSubmission', 'webhookSubscription.check'])(
	'the preview of %s matches its default output',
	async (name) => {
		const { parameters, items } = describeReads()[name];
		const [resource, operation] = name.split('.');
		const { output, error } = await stage.run({ resource, operation, ...parameters }, items);
		expect(error).toBeUndefined();
		const preview = readPreview(name);
		expect(Object.keys(output[0].json).sort()).toEqual(
			Object.keys(preview.properties ?? {}).sort(),
		);
		for (const { json } of output) expect(findDeviations(json, preview)).toEqual([]);
	},
);

test.each(operationNames)('the preview of %s matches its default output', async (operation) => {
	const { parameters, items } = findCase(stage.sandbox, operation);
	// The output options keep the defaults that a builder finds.
	const { simplify, output, ...own } = parameters;
	const run = await stage.run(own, items);
	expect(run.error).toBeUndefined();
	const records = run.output.map(({ json }) => json);
	expect(records.length).toBeGreaterThan(0);
	const preview = readPreview(operation);
	const missing = Object.keys(preview.properties ?? {}).filter(
		(name) => !optional.includes(name) && records.every((record) => !(name in record)),
	);
	expect(missing).toEqual([]);
	expect(findDeviations(records[0], preview)).toEqual([]);
});
