import fc from 'fast-check';
import { type IDataObject, type INode, type INodeTypes, NodeHelpers, Workflow } from 'n8n-workflow';
import { eventKinds } from '../../../nodes/parameters/fields.ts';
import { listOutputKinds } from '../../../nodes/PageAudienceTrigger/outputs.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
import { generated } from '../../generated.mts';

const allKinds: string[] = eventKinds.map(({ value }) => value);

/** The names of the outputs as n8n's own code finds them, for the canvas and for executions. */
function readNames(parameters: object) {
	const trigger = new PageAudienceTrigger();
	const type = { type: 'pageAudienceTrigger', typeVersion: 1 };
	const node = { id: 'id', name: 'Trigger', ...type, parameters } as INode;
	const nodeTypes = { getByNameAndVersion: () => trigger } as Partial<INodeTypes> as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	// As the editor has them, without n8n's defaults.
	node.parameters = parameters as INode['parameters'];
	return NodeHelpers.getNodeOutputs(workflow, node, trigger.description).map((output) =>
		typeof output === 'string' ? undefined : output.displayName,
	);
}

test.each([
	[['page.version.published', 'form.enriched'], 'Page Version Published, Form Enriched'],
	['form.enrichment_failed', 'Form Enrichment Failed'],
	[['page.deleted'], 'page.deleted'],
	[[], ''],
])('the label on the canvas of %j is "%s"', (events, label) => {
	const expression = /^=\{\{ (.*) \}\}$/.exec(
		new PageAudienceTrigger().description.subtitle ?? '',
	)?.[1];
	const evaluate = new Function('$parameter', `return ${expression}`) as (of: object) => unknown;
	expect(evaluate({ events })).toBe(label);
});

describe('the outputs on the canvas', () => {
	const namesOf = (kinds: string[]) =>
		['Enriched', 'Failed', 'Submitted', 'Created', 'Processed', 'Published'].filter((_, i) =>
			kinds.includes(allKinds[i]),
		);

	const two = ['form.submitted', 'form.enriched'];
	test.each([
		[undefined, ['form.submitted'], [undefined]],
		[{}, ['form.submitted'], [undefined]],
		[{ outputPerEvent: false }, two, [undefined]],
		[{ outputPerEvent: true }, two, ['Enriched', 'Submitted', 'Other']],
		[{ outputPerEvent: true }, [], ['Other']],
		[{ outputPerEvent: true }, '={{ $vars.events }}', [...namesOf(allKinds), 'Other']],
		[{ outputPerEvent: '={{ true }}' }, ['form.submitted'], [undefined]],
	])('with %j and %j are %j', (options, events, names) => {
		expect(readNames({ options, events })).toEqual(names);
	});

	test('are those by which events leave, whatever is saved', () => {
		const entry = fc.oneof(fc.constantFrom(...allKinds), fc.string(), fc.jsonValue());
		const events = fc.oneof(
			fc.array(entry, { maxLength: 7 }),
			fc.constantFrom(...allKinds).map((kind) => `={{ ["${kind}"] }}`),
			fc.jsonValue(),
			fc.constant(undefined),
		);
		const outputPerEvent = fc.oneof(fc.boolean(), fc.jsonValue());
		const options = fc.oneof(fc.record({ outputPerEvent }), fc.jsonValue(), fc.constant(undefined));
		fc.assert(
			fc.property(fc.record({ options, events }, { noNullPrototype: true }), (parameters) => {
				const shown = readNames(parameters);
				const used = [...namesOf(listOutputKinds(parameters as IDataObject)), 'Other'];
				const chosen = parameters.options as { outputPerEvent?: unknown } | null | undefined;
				const isPerEvent = chosen?.outputPerEvent === true;
				expect(shown).toEqual(isPerEvent ? used : [undefined]);
				expect(used.length > 1 && !isPerEvent).toBe(false);
			}),
			generated(500),
		);
	});
});
