import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
import { root } from '../../../tools/root.mts';

test.each([
	['credentials', new PageAudienceApi().icon],
	['nodes/PageAudience', new PageAudience().description.icon],
	['nodes/PageAudienceTrigger', new PageAudienceTrigger().description.icon],
	['nodes/PageAudiencePollingTrigger', new PageAudiencePollingTrigger().description.icon],
])('the icons of %s are files, one for each theme', (folder, icon) => {
	const { light, dark } = icon as { light: string; dark: string };
	expect(light).not.toBe(dark);
	for (const each of [light, dark]) {
		expect(each).toMatch(/^file:/);
		expect(existsSync(join(root, folder, each.slice('file:'.length)))).toBe(true);
	}
});
