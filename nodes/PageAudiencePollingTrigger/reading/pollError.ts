/** A poll that cannot do its work. The message says what failed and why, the description what to do next. */
export class PollError extends Error {
	readonly description: string;

	/** Whether it may end by itself. */
	readonly passes: boolean;

	constructor(message: string, description: string, passes: boolean) {
		super(message);
		this.description = description;
		this.passes = passes;
	}
}
