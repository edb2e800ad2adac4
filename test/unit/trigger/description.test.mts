import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

const { description } = new PageAudienceTrigger();

test.each([
	[['form.submitted'], 'Form Submitted'],
	[['page.version.published', 'form.enriched'], 'Page Version Published, Form Enriched'],
	['form.enrichment_failed', 'Form Enrichment Failed'],
	[['page.deleted'], 'page.deleted'],
	[[], ''],
])('the label on the canvas of %j is "%s"', (events, label) => {
	const expression = /^=\{\{ (.*) \}\}$/.exec(description.subtitle ?? '')?.[1];
	const evaluate = new Function('$parameter', `return ${expression}`) as (of: object) => unknown;
	expect(evaluate({ events })).toBe(label);
});
