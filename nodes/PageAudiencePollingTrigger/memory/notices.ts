/** n8n tries a refused publishing five times within 15 seconds. */
const publishingMs = 20_000;

/** How far a poll came. What a person is told of its failure depends on it. */
export interface PollAttempt {
	/** Whether a person tests or has activated the trigger: also true of every poll of n8n's scheduler. */
	isByPerson: boolean;
	/** Whether the parameters can be used. If not, nothing but a person ends it. */
	hasSettings?: boolean;
	/** undefined when the parameters or the credential cannot be used at all. */
	list?: { scope: string; identity: string };
	hasState?: boolean;
}

/** What a person was told of a trigger. */
export class Notices {
	/** The scopes of polls that were not refused. */
	private readonly polled = new Set<string>();

	/** What was told of the failures since a poll that succeeded. */
	private outage?: 'passing' | 'lasting';

	/** Why publishing was refused, and for which list and API key. */
	private refusal?: { of: string; error: Error; at: number };

	/** Whether there was no poll in this process, or only refused ones. */
	get isFirst(): boolean {
		return this.polled.size === 0;
	}

	/** @throws what publishing was refused with, when n8n tries it again */
	begin(attempt: PollAttempt): void {
		const { refusal } = this;
		if (refusal?.of !== identify(attempt) || !this.isPublishing(attempt)) return;
		// A clock may go back.
		const age = Date.now() - refusal.at;
		if (age >= 0 && age < publishingMs) throw refusal.error;
	}

	succeed({ list }: PollAttempt): void {
		this.polled.add(list?.scope ?? '');
		this.outage = undefined;
	}

	/**
	 * @param passes whether it may end by itself
	 * @returns whether n8n is told
	 */
	fail(attempt: PollAttempt, error: unknown, passes: boolean): boolean {
		if (!this.isPublishing(attempt))
			return (attempt.isByPerson && !attempt.hasSettings) || this.isNews(attempt, passes);
		if (error instanceof Error && error !== this.refusal?.error)
			this.refusal = { of: identify(attempt), error, at: Date.now() };
		return true;
	}

	/** A person publishes or tests, waits, and reads why it does not work: of what was never polled. */
	private isPublishing({ isByPerson, hasState, list }: PollAttempt): boolean {
		const isNew = list ? !this.polled.has(list.scope) : this.isFirst;
		return isByPerson && !hasState && isNew;
	}

	/**
	 * When the first poll after a start throws, n8n gives the trigger up for good, so a start tells nothing: the next poll
	 * does. After that, once per outage is enough, because each time is a failed execution.
	 */
	private isNews({ list }: PollAttempt, passes: boolean): boolean {
		const isStart = this.isFirst;
		this.polled.add(list?.scope ?? '');
		if (isStart || this.outage === 'lasting' || (this.outage && passes)) return false;
		this.outage = passes ? 'passing' : 'lasting';
		return true;
	}
}

function identify({ list }: PollAttempt): string {
	return list ? `${list.scope} ${list.identity}` : '';
}
