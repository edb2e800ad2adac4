import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';

/** n8n runs for months, so what the nodes keep as long as the process lives is named here, with its bound. */
const bounds = {
	'PageAudience/ledger/processStore.ts left': 'holds 10,000',
	'PageAudience/ledger/processStore.ts underWay': 'forgets a run when it ends',
	'PageAudiencePollingTrigger/poll.ts memories': 'holds 10,000',
	'PageAudiencePollingTrigger/poll.ts polledContexts': 'holds what n8n still has',
	'PageAudienceTrigger/delivery/duplicates.ts seen': 'holds 10,000 triggers, and 1,000 of each',
	'PageAudienceTrigger/kept.ts remembered': 'holds 1,000',
	'PageAudienceTrigger/lifecycle.ts unfinished':
		'has one entry for each trigger at most, and forgets it when it is published',
	'PageAudienceTrigger/log.ts lastWritten': 'holds 10,000',
	'api/pace.ts gates': 'holds 1,000',
	'runtime/keyLock.ts last': 'forgets a key when its work is done',
};

/** Variables of modules that can change, instances, and collections that begin empty. */
const lasting =
	/^(?:export )?(?:let|const (?=[^=]*=\s*(?:new (?!(?:Set|Map)[^(]*\([^)])|\[\]|\{\}))) ?(\w+)/gm;

test('whatever lives as long as the process has a bound', () => {
	const folder = join(root, 'nodes');
	const found = globSync('**/*.ts', { cwd: folder }).flatMap((file) =>
		[...readFileSync(join(folder, file), 'utf8').matchAll(lasting)].map(
			([, name]) => `${file} ${name}`,
		),
	);
	expect(found.sort()).toEqual(Object.keys(bounds));
});
