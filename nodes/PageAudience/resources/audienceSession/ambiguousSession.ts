import type { IDataObject } from 'n8n-workflow';

const mostNamed = 5;

/** Several sessions have the ID that was looked for, and nothing tells which of them is meant. */
export class AmbiguousSessionError extends Error {
	readonly description =
		'Search by the formSubmissionId or the audienceSessionId of the session instead.';

	readonly details: IDataObject;

	constructor(audienceSessionIds: string[]) {
		const named = audienceSessionIds.slice(0, mostNamed).join(', ');
		const rest = audienceSessionIds.length - mostNamed;
		super(
			`${audienceSessionIds.length} sessions match: ${named}${rest > 0 ? ` and ${rest} more` : ''}`,
		);
		this.details = { audienceSessionIds };
	}
}
