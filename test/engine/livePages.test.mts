import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/* What goes to a live page. test/unit/cells/livePage.test.mts has all values. */

const setup = setUpActionNode({ validateResponses: false });

/** The bodies that were sent, and what is told of the items that were not. */
async function send(parameters: INodeParameters, items: IDataObject[]) {
	setup.sandbox.requests.length = 0;
	const options = requestLimits({ concurrency: 1, maxRetries: 0 });
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

// Each item changes a record of its own.
const id = '=id_{{ $itemIndex }}';
const page = { resource: 'page', operation: 'update', pageId: id };
const audience = { resource: 'audience', operation: 'update', pageId: 'page_1', audienceId: id };
const url = '={{ $json.url }}';

const places: Array<[where: string, parameters: INodeParameters, label: string]> = [
	[
		'a button',
		{ ...page, updateFields: { actions: { action: [{ buttonTitle: 'Go', url }] } } },
		'Update Fields > Actions > Action 1 > URL',
	],
	[
		'a logo',
		{
			...page,
			updateFields: {
				actionCardWidgets: { widget: [{ type: 't', logos: { logo: [{ altText: 'l', url }] } }] },
			},
		},
		'Update Fields > Action Card Widgets > Widget 1 > Logos > Logo 1 > Image URL',
	],
	[
		'a footer link',
		{
			...page,
			updateFields: {
				footerLinks: { group: [{ title: 'g', links: { link: [{ text: 't', url }] } }] },
			},
		},
		'Update Fields > Footer Links > Group 1 > Links > Link 1 > URL',
	],
	[
		'a canonical URL',
		{ ...page, updateFields: { metadata: { canonicalUrl: url } } },
		'Update Fields > Metadata > Canonical URL',
	],
	[
		'an Open Graph URL',
		{ ...page, updateFields: { metadata: { ogUrl: url } } },
		'Update Fields > Metadata > OG URL',
	],
	[
		'an override of metadata',
		{ ...audience, updateFields: { metadataOverride: { ogUrl: url } } },
		'Update Fields > Metadata Override > OG URL',
	],
	[
		'the URL of an audience',
		{ ...audience, updateFields: { actionUrlOverride: url } },
		'Update Fields > Action URL Override',
	],
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
	[
		'a title',
		{ ...page, updateFields: { actions: { action: [{ buttonTitle: '={{ $json.text }}' }] } } },
	],
	['the context', { ...page, updateFields: { pageContext: '={{ $json.text }}' } }],
	['the name', { ...page, updateFields: { name: '={{ $json.text }}' } }],
	['keywords', { ...page, updateFields: { metadata: { keywords: '={{ $json.text }}' } } }],
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
		/ is "#REF!", which stands for a value that is missing.* \[item 2\]$/,
	);
});

test('JSON is checked for each item, and what is removed is told once', async () => {
	setup.sandbox.requests.length = 0;
	const { output, hints } = await setup.run(
		{
			...page,
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
			options: requestLimits({ maxRetries: 0 }),
		},
		[
			{ pageId: 'page_1', status: 'draft', actions: [{ url: ' /a\n', actionIndex: 0 }] },
			{ metadata: { ogImageUrl: 'https://x.example/i.png' } },
			{ pageId: 'page_2', status: 'draft', actions: [{ url: '/b', actionIndex: 0 }] },
			{ actions: [{ url: 'javascript:alert(1)' }] },
			{ page_context: 'c' },
		],
		{ onError: 'continueRegularOutput' },
	);
	expect(setup.sandbox.requests.map(({ body }) => body)).toEqual([
		{ actions: [{ url: '/a' }] },
		{ actions: [{ url: '/b' }] },
	]);
	expect(output.map(({ json }) => String(json.error))).toMatchObject({
		1: 'The update changes nothing: fill in a field [item 1]',
		3: expect.stringMatching(/^JSON > actions\[0\]\.url must not begin with javascript:/) as string,
		4: expect.stringMatching(
			/^JSON > page_context is not a field that can be sent\. The fields are /,
		) as string,
	});
	expect(hints).toContain(
		'Fields that cannot be sent were removed from the JSON: pageId, status and actions.actionIndex [items 0 and 2, counted from 0].',
	);
});
