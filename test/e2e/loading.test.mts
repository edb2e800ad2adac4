import { setUpN8n } from '../n8n/n8nSetup.mts';

type NodeType = { name: string; displayName: string; iconUrl?: string | Record<string, string> };

const setup = setUpN8n();

test.each([
	['nodes', 'n8n-nodes-page-audience.pageAudience', 'Page Audience'],
	['nodes', 'n8n-nodes-page-audience.pageAudienceTrigger', 'Page Audience Trigger'],
	['nodes', 'n8n-nodes-page-audience.pageAudiencePollingTrigger', 'Page Audience Polling Trigger'],
	['credentials', 'pageAudienceApi', 'Page Audience API'],
])('n8n lists among its %s %s, with icons that load', async (list, name, displayName) => {
	const { session } = setup.client;
	const response = await session.send('GET', `/types/${list}.json`);
	const type = ((await response.json()) as NodeType[]).find((each) => each.name === name);
	expect(type).toMatchObject({ displayName });
	const icons = typeof type?.iconUrl === 'object' ? Object.values(type.iconUrl) : [type?.iconUrl];
	expect(icons).not.toEqual([undefined]);
	for (const icon of icons) {
		const { headers } = await session.send('GET', `/${icon}`);
		expect(headers.get('content-type')).toContain('image/svg+xml');
	}
});
