import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { describeCases } from './cases/index.mts';
import { runNode } from './engine.mts';

type Preview = { type: string; properties?: Record<string, Preview>; items?: Preview };

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());

const folder = join(import.meta.dirname, '../../nodes/PageAudience/__schema__/v1.0.0');
const readPreview = (operation: string): Preview =>
	JSON.parse(readFileSync(join(folder, `${operation.replace('.', '/')}.json`), 'utf8')) as Preview;

/** Fields that the API documents as optional, so that an answer may lack them. */
const optional = ['headerActionId', 'metadata', 'effectiveMetadata', 'metadataOverride'];

/** Where a value is not what its preview says; a null or absent value says nothing. */
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

test('the preview of every operation is what its default output is', async () => {
	const cases = describeCases(sandbox);
	expect(cases).toHaveLength(23);
	for (const { operation, parameters, items } of cases) {
		sandbox.reset();
		// As a builder finds the node: whatever the case sets beside its own fields is left as it is.
		const { simplify, output, ...own } = parameters;
		const run = await runNode({
			parameters: own,
			items,
			credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		});
		const preview = readPreview(operation);
		const records = run.output.map(({ json }) => json);
		expect({ operation, error: run.error?.message }).toEqual({ operation, error: undefined });
		expect(records.length).toBeGreaterThan(0);
		const missing = Object.keys(preview.properties ?? {}).filter(
			(name) => !optional.includes(name) && records.every((record) => !(name in record)),
		);
		expect({ operation, missing }).toEqual({ operation, missing: [] });
		expect({ operation, off: findDeviations(records[0], preview) }).toEqual({ operation, off: [] });
	}
});
