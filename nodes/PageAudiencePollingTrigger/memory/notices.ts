/** n8n tries a refused publishing five times within 15 seconds. */
const publishingMs = 20_000;

/** A list that a poll reads. */
export interface NoticedList {
	scope: string;
	/** The same for the same service and API key. */
	identity: string;
	/** Of the page, where there may be several lists. */
	pageId: string;
	hasState: boolean;
}

/** How far a poll came. What a person is told of its failures depends on it. */
export interface PollAttempt {
	/** Whether a person tests or has activated the trigger: also true of every poll of n8n's scheduler. */
	isByPerson: boolean;
	/** Whether there was no poll in this process before, or only refused ones. */
	isFirst: boolean;
	/** Whether the parameters can be used. If not, nothing but a person ends it. */
	hasSettings?: boolean;
	/** undefined when the parameters or the credential cannot be used at all. */
	lists?: NoticedList[];
}

/** Why a poll could not read one of its lists, or anything at all. */
export interface Failure {
	list?: NoticedList;
	error: unknown;
	/** Whether it may end by itself. */
	passes: boolean;
}

/** What a person was told of a trigger. */
export class Notices {
	/** The scopes of lists whose poll was not refused. */
	private readonly polled = new Set<string>();

	/** What was told of each list since it could last be read. */
	private readonly outages = new Map<string, 'passing' | 'lasting'>();

	/** Why publishing was refused. */
	private refusal?: { failures: Failure[]; at: number };

	get isFirst(): boolean {
		return this.polled.size === 0;
	}

	/** @returns what publishing was refused with, when n8n tries it again */
	begin(attempt: PollAttempt): Failure[] {
		const { lists = [] } = attempt;
		const scopes = lists.map(({ scope }) => scope);
		for (const scope of this.outages.keys())
			if (!scopes.includes(scope)) this.outages.delete(scope);
		const { failures, at } = this.refusal ?? { failures: [], at: 0 };
		const isAgain = failures.every(({ list: refused }) =>
			lists.some((list) => isSame(list, refused) && this.isPublishing(attempt, list)),
		);
		// A clock may go back.
		const age = Date.now() - at;
		return isAgain && age >= 0 && age < publishingMs ? failures : [];
	}

	/** Whether a person publishes or tests what was never polled, waits, and reads why it does not work. */
	isPublishing({ isByPerson, isFirst }: PollAttempt, list?: NoticedList): boolean {
		const isNew = list ? !list.hasState && !this.polled.has(list.scope) : isFirst;
		return isByPerson && isNew;
	}

	succeed({ scope }: Pick<NoticedList, 'scope'>): void {
		this.polled.add(scope);
		this.outages.delete(scope);
	}

	/** @returns whether n8n is told */
	fail(attempt: PollAttempt, failures: Failure[]): boolean {
		const refused = failures.filter(({ list }) => this.isPublishing(attempt, list));
		if (refused.length > 0) {
			const isAgain = refused.every(({ error }, n) => error === this.refusal?.failures[n]?.error);
			if (!isAgain) this.refusal = { failures: refused, at: Date.now() };
			return true;
		}
		if (attempt.isByPerson && !attempt.hasSettings) return true;
		return failures.filter((failure) => this.isNews(attempt, failure)).length > 0;
	}

	/**
	 * When the first poll after a start throws, n8n gives the trigger up for good, so a start tells nothing: the next poll
	 * does. After that, once per outage is enough, because each time is a failed execution. An outage that passes is one of
	 * the service, and reaches one list after another.
	 */
	private isNews({ isFirst }: PollAttempt, { list, passes }: Failure): boolean {
		const scope = list?.scope ?? '';
		this.polled.add(scope);
		const isTold =
			this.outages.get(scope) === 'lasting' ||
			(passes && [...this.outages.values()].includes('passing'));
		if (isFirst || isTold) return false;
		this.outages.set(scope, passes ? 'passing' : 'lasting');
		return true;
	}
}

function isSame(list: NoticedList, other?: NoticedList): boolean {
	return list.scope === other?.scope && list.identity === other.identity;
}
