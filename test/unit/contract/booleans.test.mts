import type { INodeProperties, INodeType } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

/** Options that are on without being added. One adds them to turn them off. */
const usuallyOn = ['escapeFormulas', 'verifyToken'];

/** The names of yes/no options, with what they are when they are added. */
function listBooleans({ description }: INodeType): Map<string, unknown> {
	const options = description.properties
		.filter(({ type }) => type === 'collection')
		.flatMap((collection) => collection.options as INodeProperties[])
		.filter(({ type }) => type === 'boolean');
	return new Map(options.map((option) => [option.name, option.default]));
}

test.each([
	['Page Audience', new PageAudience(), ['dryRun', 'report', 'keepEmpty', 'byteOrderMark']],
	['Page Audience Trigger', new PageAudienceTrigger(), ['takeOver']],
	['Page Audience Polling Trigger', new PageAudiencePollingTrigger(), ['includeInteractions']],
])('%s turns on each yes/no option when it is added', (_, node, some) => {
	const booleans = listBooleans(node);
	expect([...booleans.keys()]).toEqual(expect.arrayContaining(some));
	const off = [...booleans].filter(([, usual]) => usual !== true).map(([name]) => name);
	expect(off).toEqual([]);
});

test('the options that are on without being added are there', () => {
	const nodes = [new PageAudience(), new PageAudienceTrigger()];
	const names = nodes.flatMap((node) => [...listBooleans(node).keys()]);
	expect(names).toEqual(expect.arrayContaining(usuallyOn));
});
