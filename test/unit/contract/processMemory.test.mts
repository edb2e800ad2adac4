import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';

/** n8n runs for months, so what the nodes keep as long as the process lives is named here, with its bound. */
const bounds = {
	'PageAudiencePollingTrigger/poll.ts memories': 'holds 10,000',
	'PageAudienceTrigger/delivery/duplicates.ts underWay': 'forgets a delivery when it is answered',
	'PageAudienceTrigger/delivery/duplicates.ts windows':
		'forgets a trigger 24 hours after its last delivery, at the first delivery of another one',
	'PageAudienceTrigger/delivery/token.ts asked': 'holds 10,000',
	'PageAudienceTrigger/delivery/token.ts remembered': 'holds 10,000',
	'PageAudienceTrigger/log.ts lastWritten': 'holds 10,000',
	'PageAudienceTrigger/service/current.ts changes':
		'forgets a change after seven seconds, at the next change',
	'PageAudienceTrigger/uses.ts uses': 'holds 1,000',
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
