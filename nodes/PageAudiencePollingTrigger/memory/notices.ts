import type { IPollFunctions } from 'n8n-workflow';

/** n8n tries a refused publishing five times within 15 seconds. */
const publishingMs = 20_000;

/** What a person was told of a trigger. */
export class Notices {
	/** The scopes of polls that were not refused. */
	readonly polled = new Set<string>();

	/** What was told of the failures since a poll that succeeded. */
	outage?: 'passing' | 'lasting';

	/** Why publishing was refused. */
	refusal?: { identity: string; error: Error; at: number };

	/** Whether there was no poll in this process, or only refused ones. */
	get isFirst(): boolean {
		return this.polled.size === 0;
	}
}

/** One poll. What a person is told of its failure depends on how far it came. */
export class PollAttempt {
	/** Whether the parameters can be used. If not, nothing but a person ends it. */
	hasSettings = false;

	/** undefined when the parameters or the credential cannot be used at all. */
	private scope?: string;

	/** The same for the same list and API key. */
	private identity = '';

	private hasState = false;

	private readonly notices: Notices;

	/** Whether a person tests or has activated the trigger: also true of every poll of n8n's scheduler. */
	private readonly isByPerson: boolean;

	constructor(notices: Notices, context: Pick<IPollFunctions, 'getMode' | 'getActivationMode'>) {
		this.notices = notices;
		this.isByPerson =
			context.getMode() === 'manual' ||
			['activate', 'update'].includes(context.getActivationMode());
	}

	/** @throws what publishing was refused with, when n8n tries it again */
	begin({ scope, identity }: { scope: string; identity: string }, hasState: boolean): void {
		this.scope = scope;
		this.identity = `${scope} ${identity}`;
		this.hasState = hasState;
		const { refusal } = this.notices;
		const isRetried = refusal?.identity === this.identity && Date.now() - refusal.at < publishingMs;
		if (isRetried && this.isPublishing()) throw refusal.error;
	}

	succeed(): void {
		this.notices.polled.add(this.scope ?? '');
		this.notices.outage = undefined;
	}

	/**
	 * @param passes whether it may end by itself
	 * @returns whether n8n is told
	 */
	fail(error: unknown, passes: boolean): boolean {
		if (!this.isPublishing()) return (this.isByPerson && !this.hasSettings) || this.isNews(passes);
		if (error instanceof Error && error !== this.notices.refusal?.error)
			this.notices.refusal = { identity: this.identity, error, at: Date.now() };
		return true;
	}

	/** A person publishes or tests, waits, and reads why it does not work: of what was never polled. */
	private isPublishing(): boolean {
		const { scope, notices } = this;
		const isNew = scope === undefined ? notices.isFirst : !notices.polled.has(scope);
		return this.isByPerson && !this.hasState && isNew;
	}

	/**
	 * When the first poll after a start throws, n8n gives the trigger up for good, so a start tells nothing: the next poll
	 * does. After that, once per outage is enough, because each time is a failed execution.
	 */
	private isNews(passes: boolean): boolean {
		const { notices } = this;
		const isStart = notices.isFirst;
		notices.polled.add(this.scope ?? '');
		if (isStart || notices.outage === 'lasting' || (notices.outage && passes)) return false;
		notices.outage = passes ? 'passing' : 'lasting';
		return true;
	}
}
