/** A subscription that cannot be used. The message says what failed and why, the description what to do next. */
export class SubscriptionError extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.description = description;
	}
}
