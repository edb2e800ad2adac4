/** A subscription that cannot be used. The message says what happened, the description what to do. */
export class SubscriptionError extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.description = description;
	}
}
