import type { TriggerMemory } from './memory';

/** A poll that failed. */
export interface Failure {
	/** Whether the parameters can be used. If not, nothing but a person ends it. */
	hasSettings: boolean;
	/** undefined when the parameters or the credential cannot be used at all. */
	scope?: string;
	hasState: boolean;
	/** Whether the trigger was activated by a person: also true of every poll of n8n's scheduler. */
	isByPerson: boolean;
	/** Whether it may end by itself. */
	passes: boolean;
}

/** n8n tries a refused publishing five times within 15 seconds. */
export const publishingMs = 20_000;

/** A person publishes, waits, and reads why it does not work: the first poll of something that was never polled. */
export function isPublishing(
	{ polled }: TriggerMemory,
	{ scope, hasState, isByPerson }: Pick<Failure, 'scope' | 'hasState' | 'isByPerson'>,
): boolean {
	return isByPerson && !hasState && (scope === undefined ? polled.size === 0 : !polled.has(scope));
}

/**
 * Whether n8n is told about a failure. When the first poll after a start throws, n8n gives the trigger up for good, so a
 * start tells nothing: the next poll does. After that, once per outage is enough, because each time is a failed
 * execution.
 */
export function tell(memory: TriggerMemory, failure: Failure): boolean {
	const { hasSettings, scope = '', isByPerson, passes } = failure;
	if (isPublishing(memory, failure) || (isByPerson && !hasSettings)) return true;
	const isStart = memory.polled.size === 0;
	memory.polled.add(scope);
	memory.outage ??= {};
	const { told } = memory.outage;
	if (isStart || told === 'lasting' || (told && passes)) return false;
	memory.outage.told = passes ? 'passing' : 'lasting';
	return true;
}
