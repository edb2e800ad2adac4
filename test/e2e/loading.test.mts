import { openWorkbench, type Workbench } from './workbench.mts';

type NodeType = { name: string; displayName: string; iconUrl?: string | Record<string, string> };

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
afterAll(() => bench.close());

test.each([
	['/types/nodes.json', 'n8n-nodes-page-audience.pageAudience', 'Page Audience'],
	['/types/nodes.json', 'n8n-nodes-page-audience.pageAudienceTrigger', 'Page Audience Trigger'],
	[
		'/types/nodes.json',
		'n8n-nodes-page-audience.pageAudiencePollingTrigger',
		'Page Audience Polling Trigger',
	],
	['/types/credentials.json', 'pageAudienceApi', 'Page Audience API'],
])('%s lists %s with icons that load', async (path, name, displayName) => {
	const { session } = bench.client;
	const types = (await (await session.send('GET', path)).json()) as NodeType[];
	const type = types.find((candidate) => candidate.name === name);
	expect(type).toMatchObject({ displayName });
	const icons = typeof type?.iconUrl === 'object' ? Object.values(type.iconUrl) : [type?.iconUrl];
	expect(icons).not.toEqual([undefined]);
	for (const icon of icons) {
		const response = await session.send('GET', `/${icon}`);
		expect(response.headers.get('content-type')).toContain('image/svg+xml');
	}
});
