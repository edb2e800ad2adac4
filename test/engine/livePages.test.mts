import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/* What goes to a live page. test/unit/cells/livePage.test.mts has all values. */

const setup = setUpActionNode();

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
const ofPage = (updateFields: INodeParameters) => ({ ...page, updateFields });
const ofAudience = (updateFields: INodeParameters) => ({ ...audience, updateFields });
const url = '={{ $json.url }}';
const logo = { altText: 'l', url };
const link = { text: 't', url };

test.each<[label: string, parameters: INodeParameters]>([
	['Actions > Action 1 > URL', ofPage({ actions: { action: [{ buttonTitle: 'Go', url }] } })],
	[
		'Action Card Widgets > Widget 1 > Logos > Logo 1 > Image URL',
		ofPage({ actionCardWidgets: { widget: [{ type: 't', logos: { logo: [logo] } }] } }),
	],
	[
		'Footer Links > Group 1 > Links > Link 1 > URL',
		ofPage({ footerLinks: { group: [{ title: 'g', links: { link: [link] } }] } }),
	],
	['Metadata > Canonical URL', ofPage({ metadata: { canonicalUrl: url } })],
	['Metadata > OG URL', ofPage({ metadata: { ogUrl: url } })],
	['Metadata Override > OG URL', ofAudience({ metadataOverride: { ogUrl: url } })],
	['Action URL Override', ofAudience({ actionUrlOverride: url })],
])('%s goes out trimmed, or not at all', async (label, parameters) => {
	const { bodies, refusals } = await send(parameters, [
		{ url: 'javascript:alert(1)' },
		{ url: ' /offer\n' },
		{ url: 'www.example.com' },
	]);
	expect(JSON.stringify(bodies)).toMatch(/^[^\n]*:"\/offer"[^\n]*$/);
	expect(bodies).toHaveLength(1);
	expect(refusals).toEqual([
		expect.stringMatching(
			`^Update Fields > ${label} must .*"javascript:alert\\(1\\)".* \\[item 0\\]$`,
		),
		expect.stringMatching(`^Update Fields > ${label} .*"www.example.com".* \\[item 2\\]$`),
	]);
});

const text = '={{ $json.text }}';

test.each<[where: string, parameters: INodeParameters]>([
	['a title', ofPage({ actions: { action: [{ buttonTitle: text }] } })],
	['the context', ofPage({ pageContext: text })],
	['the name', ofPage({ name: text })],
	['keywords', ofPage({ metadata: { keywords: text } })],
	['the name of an audience', ofAudience({ customName: text })],
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
		1: 'The update changes nothing: add a field to Update Fields or JSON [item 1]',
		3: expect.stringMatching(/^JSON > actions\[0\]\.url must not begin with javascript:/) as string,
		4: expect.stringMatching(
			/^JSON > page_context is not a field that can be sent\. The fields are /,
		) as string,
	});
	expect(hints).toContain(
		'Fields that cannot be sent were removed from the JSON: pageId, status and actions.actionIndex [items 0 and 2, counted from 0].',
	);
});
