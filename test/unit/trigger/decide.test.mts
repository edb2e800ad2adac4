import { decideBeginning, decideEnd } from '../../../nodes/PageAudienceTrigger/decide.ts';

test.each([
	['publish', 'another', false, 'refuse'],
	['publish', 'another', true, 'take'],
	['publish', 'nobody', false, 'take'],
	['publish', 'published', false, 'renew'],
	// A test never takes events from the published workflow, not even with Take Over.
	['test', 'published', true, 'refuse'],
	['test', 'paused', false, 'take'],
	['test', 'test', false, 'renew'],
	['test', 'another', true, 'take'],
	// A mere start of n8n takes nothing over.
	['start', 'another', true, 'leave'],
	['start', 'nobody', true, 'leave'],
	['start', 'published', true, 'nothing'],
] as const)(
	'%s, where %s gets the events (Take Over: %s): %s',
	(step, receiver, takeOver, action) => {
		expect(decideBeginning(step, receiver, { takeOver })).toBe(action);
	},
);

test.each([
	['restore', 'published', 'restore'],
	['restore', 'test', 'restore'],
	['restore', 'another', 'leave'],
	['pause', 'published', 'pause'],
	['pause', 'nobody', 'leave'],
	['endTest', 'test', 'restore'],
	// It was published during the test.
	['endTest', 'published', 'leave'],
] as const)('%s, where %s gets the events: %s', (step, receiver, action) => {
	expect(decideEnd(step, receiver)).toBe(action);
});
