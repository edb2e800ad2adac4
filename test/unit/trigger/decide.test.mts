import {
	type Action,
	decide,
	type Receiver,
	type Step,
} from '../../../nodes/PageAudienceTrigger/decide.ts';

/* Every cell of the table. `test/engine/trigger/scenes.test.mts` has what the service gets then. */

type Scene = [what: string, step: Step, receiver: Receiver, action: Action];

const scenes: Record<string, Scene[]> = {
	'a workflow,': [
		['published again', 'publish', 'published', 'renew'],
		['published after Pause', 'publish', 'paused', 'renew'],
		['published during its test', 'publish', 'test', 'renew'],
		['published on a free subscription', 'publish', 'nobody', 'take'],
		['published on one in use', 'publish', 'another', 'refuse'],
		['which could not be published', 'undo', 'published', 'restore'],
		['which could not be published, and is inactive', 'undo', 'paused', 'restore'],
		['which could not be published, during its test', 'undo', 'test', 'restore'],
		['which could not be published, and is as before', 'undo', 'nobody', 'nothing'],
		['which could not be published, and another receiver has', 'undo', 'another', 'nothing'],
	],
	'a start of n8n on a subscription,': [
		['which still delivers here', 'start', 'published', 'nothing'],
		['which a person switched off', 'start', 'paused', 'nothing'],
		['which a crashed test left', 'start', 'test', 'leave'],
		['which a person changed', 'start', 'nobody', 'leave'],
		['which another receiver has', 'start', 'another', 'leave'],
	],
	'a test': [
		['of the published workflow', 'test', 'published', 'refuse'],
		['of one that is switched off', 'test', 'paused', 'take'],
		['after one that crashed', 'test', 'test', 'renew'],
		['on a free subscription', 'test', 'nobody', 'take'],
		['on one in use', 'test', 'another', 'refuse'],
		['ends, and the workflow was published', 'endTest', 'published', 'nothing'],
		['ends, and it was published and paused', 'endTest', 'paused', 'nothing'],
		['ends', 'endTest', 'test', 'restore'],
		['ends for the second time', 'endTest', 'nobody', 'nothing'],
		['ends, and another receiver has taken over', 'endTest', 'another', 'nothing'],
	],
	unpublishing: [
		['a published one', 'restore', 'published', 'restore'],
		['one that is switched off', 'restore', 'paused', 'restore'],
		['one that a test has', 'restore', 'test', 'restore'],
		['one that is restored already', 'restore', 'nobody', 'leave'],
		['one that another receiver has', 'restore', 'another', 'leave'],
		['with Pause', 'pause', 'published', 'pause'],
		['with Pause, a second time', 'pause', 'paused', 'pause'],
		['with Pause, one that a test has', 'pause', 'test', 'pause'],
		['with Pause, one that is restored already', 'pause', 'nobody', 'leave'],
		['with Pause, one that another receiver has', 'pause', 'another', 'leave'],
	],
};

describe.each(Object.entries(scenes))('%s', (_, rows) => {
	test.each(rows)('%s: %s, %s: %s', (_what, step, receiver, action) => {
		expect(decide(step, receiver)).toBe(action);
		// Take Over is only for publishing, and takes only from another receiver.
		const isTaken = step === 'publish' && receiver === 'another';
		expect(decide(step, receiver, true)).toBe(isTaken ? 'take' : action);
	});
});
