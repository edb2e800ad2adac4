import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';

/* What goes to a live page. test/unit/cells/livePage.test.mts has all values. */

const setup = setUpActionNode({ validateResponses: false });

/** The bodies that were sent, and what is told of the items that were not. */
async function send(parameters: INodeParameters, items: IDataObject[]) {
	setup.sandbox.requests.length = 0;
	const options = { concurrency: 1, maxRetries: 0 };
	const { output, error } = await setup.run({ ...parameters, options }, items, {
		onError: 'continueRegularOutput',
	});
	if (error) throw error;
	const refusals = output.flatMap(({ json }) => {
		const isAnswer = (json.details as IDataObject | undefined)?.status;
		return json.error === undefined || isAnswer ? [] : [String(json.error)];
	});
	return { bodies: setup.sandbox.requests.map(({ body }) => body), refusals };
}

const page = { resource: 'page', operation: 'update', pageId: 'page_1' };
const audience = { resource: 'audience', operation: 'update', pageId: 'page_1', audienceId: 'a_1' };
const pageLink = { resource: 'pageLink', operation: 'update', pageLinkId: 'link_1' };
const url = '={{ $json.url }}';

const places: Array<[where: string, parameters: INodeParameters, label: string]> = [
	[
		'a button',
		{ ...page, actions: { action: [{ buttonTitle: 'Go', url }] } },
		'Actions > Action 1 > URL',
	],
	[
		'a logo',
		{
			...page,
			actionCardWidgets: { widget: [{ type: 't', logos: { logo: [{ altText: 'l', url }] } }] },
		},
		'Action Card Widgets > Widget 1 > Logos > Logo 1 > Image URL',
	],
	[
		'a footer link',
		{ ...page, footerLinks: { group: [{ title: 'g', links: { link: [{ text: 't', url }] } }] } },
		'Footer Links > Group 1 > Links > Link 1 > URL',
	],
	['a canonical URL', { ...page, metadata: { canonicalUrl: url } }, 'Metadata > Canonical URL'],
	['an Open Graph URL', { ...page, metadata: { ogUrl: url } }, 'Metadata > Open Graph URL'],
	[
		'an override of metadata',
		{ ...audience, metadataOverride: { ogUrl: url } },
		'Metadata Override > Open Graph URL',
	],
	[
		'the URL of an audience',
		{ ...audience, updateFields: { actionUrlOverride: url } },
		'Update Fields > Action URL Override',
	],
	['a page link', { ...pageLink, updateFields: { path: url } }, 'Update Fields > Path'],
];

test.each(places)('%s goes out trimmed, or not at all', async (_, parameters, label) => {
	const { bodies, refusals } = await send(parameters, [
		{ url: 'javascript:alert(1)' },
		{ url: ' /offer\n' },
		{ url: 'www.example.com' },
	]);
	expect(JSON.stringify(bodies)).toMatch(/^[^\n]*:"\/offer"[^\n]*$/);
	expect(bodies).toHaveLength(1);
	expect(refusals).toEqual([
		expect.stringMatching(`^${label} must .*"javascript:alert\\(1\\)".* \\[item 0\\]$`),
		expect.stringMatching(`^${label} .*"www.example.com".* \\[item 2\\]$`),
	]);
});

test.each<[where: string, parameters: INodeParameters]>([
	['a title', { ...page, actions: { action: [{ buttonTitle: '={{ $json.text }}' }] } }],
	['the context', { ...page, updateFields: { pageContext: '={{ $json.text }}' } }],
	['the name', { ...page, updateFields: { name: '={{ $json.text }}' } }],
	['keywords', { ...page, metadata: { keywords: '={{ $json.text }}' } }],
	['the name of an audience', { ...audience, updateFields: { customName: '={{ $json.text }}' } }],
])('%s that says nothing is refused', async (_, parameters) => {
	const texts = ['{{ name }}', 'Test', '#REF!', 'No', 'undefined'];
	const { bodies, refusals } = await send(
		parameters,
		texts.map((text) => ({ text })),
	);
	expect(bodies.map((body) => /"(Test|No)"/.exec(JSON.stringify(body))?.[1])).toEqual([
		'Test',
		'No',
	]);
	expect(refusals).toHaveLength(3);
	expect(refusals[1]).toMatch(
		/ is "#REF!", which has a placeholder in place of a value.* \[item 2\]$/,
	);
});
