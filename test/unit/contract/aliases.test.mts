import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
import { root } from '../../../tools/root.mts';

/** What people type into n8n's search for nodes, and what they should find. */
const forAll = [
	'form',
	'form submitted',
	'form submission',
	'lead',
	'leads',
	'visitor',
	'visitors',
];
const forMarketing = ['conversion', 'marketing', 'landing page', 'crm', 'prospect'];
const searches = {
	PageAudience: [...forAll, ...forMarketing, 'person log', 'page link', 'enrichment', 'webhook'],
	PageAudienceTrigger: [...forAll, ...forMarketing, 'enrichment', 'webhook', 'event'],
	PageAudiencePollingTrigger: [...forAll, ...forMarketing, 'poll', 'schedule', 'firewall'],
};
const nodes = { PageAudience, PageAudienceTrigger, PageAudiencePollingTrigger };

test.each(Object.keys(nodes) as Array<keyof typeof nodes>)('a search finds %s', (name) => {
	const path = join(root, `nodes/${name}/${name}.node.json`);
	const { alias } = JSON.parse(readFileSync(path, 'utf8')) as { alias: string[] };
	// n8n looks for each word. An alias that holds all of them is found however it compares.
	const names = [new nodes[name]().description.displayName, ...alias].map((each) =>
		each.toLowerCase(),
	);
	const missed = searches[name].filter((text) => !names.some((each) => each.includes(text)));
	expect(missed).toEqual([]);
	expect(new Set(names).size).toBe(names.length);
});
