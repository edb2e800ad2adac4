import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';

/*
 * URLs and JSON of a live page. All values are in test/unit/cells/livePage.test.mts, all of JSON in resources/page.test.mts;
 * texts that say nothing are in nothing.
 */

const setup = setUpActionNode();

/** The bodies that were sent, and what is told of the items that were not. */
async function send(parameters: INodeParameters, items: IDataObject[]) {
	const { bodies, told, hints } = await setup.send(parameters, items);
	// The service knows none of the records.
	const refusals = told.filter((each) => each !== undefined && !/\(40\d\)/.test(String(each)));
	return { bodies, refusals, hints };
}

// Each item changes a record of its own.
const id = '=id_{{ $itemIndex }}';
const page = { resource: 'page', operation: 'update', pageId: id };
const audience = { resource: 'audience', operation: 'update', pageId: 'page_1', audienceId: id };
const ofPage = (updateFields: INodeParameters) => ({ ...page, updateFields });
const ofAudience = (updateFields: INodeParameters) => ({ ...audience, updateFields });
const value = '={{ $json.value }}';
const logos = { logo: [{ altText: 'l', url: value }] };
const links = { link: [{ text: 't', url: value }] };

test.each<[label: string, parameters: INodeParameters]>([
	[
		'Actions > Action 1 > URL',
		ofPage({ actions: { action: [{ buttonTitle: 'Go', url: value }] } }),
	],
	[
		'Action Card Widgets > Widget 1 > Logos > Logo 1 > Image URL',
		ofPage({ actionCardWidgets: { widget: [{ type: 't', logos }] } }),
	],
	[
		'Footer Links > Group 1 > Links > Link 1 > URL',
		ofPage({ footerLinks: { group: [{ title: 'g', links }] } }),
	],
	['Metadata > Canonical URL', ofPage({ metadata: { canonicalUrl: value } })],
	['Metadata > OG URL', ofPage({ metadata: { ogUrl: value } })],
	['Metadata Override > OG URL', ofAudience({ metadataOverride: { ogUrl: value } })],
	['Action URL Override', ofAudience({ actionUrlOverride: value })],
])('%s goes out trimmed, or not at all', async (label, parameters) => {
	const urls = ['javascript:alert(1)', ' /offer\n', 'www.example.com'];
	const { bodies, refusals } = await send(
		parameters,
		urls.map((each) => ({ value: each })),
	);
	expect(bodies).toHaveLength(1);
	expect(JSON.stringify(bodies)).toContain(':"/offer"');
	const begin = `^Update Fields > ${label}`;
	expect(refusals).toEqual([
		expect.stringMatching(`${begin} must .*"javascript:alert\\(1\\)".* \\[item 0\\]$`),
		expect.stringMatching(`${begin} .*"www.example.com".* \\[item 2\\]$`),
	]);
});

test('JSON is checked for each item, and what is removed is told once', async () => {
	const { bodies, refusals, hints } = await send(
		{ ...page, specifyBody: 'json', jsonBody: '={{ $json }}' },
		[
			{ pageId: 'page_1', status: 'draft', actions: [{ url: ' /a\n', actionIndex: 0 }] },
			{ metadata: { ogImageUrl: 'https://x.example/i.png' } },
			{ pageId: 'page_2', status: 'draft', actions: [{ url: '/b', actionIndex: 0 }] },
			{ actions: [{ url: 'javascript:alert(1)' }] },
		],
	);
	expect(bodies).toEqual([{ actions: [{ url: '/a' }] }, { actions: [{ url: '/b' }] }]);
	expect(refusals).toEqual([
		'The update changes nothing: add a field to Update Fields or JSON [item 1]',
		expect.stringMatching(/^JSON > actions\[0\]\.url must not begin with javascript:/),
	]);
	expect(hints).toContain(
		'Fields that cannot be sent were removed from the JSON: pageId, status and actions.actionIndex [items 0 and 2, counted from 0].',
	);
});
