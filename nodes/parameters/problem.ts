export interface Problem {
	/** The parameter's label in the panel, e.g. `Additional Fields > Email`. */
	parameter: string;
	/** Follows the label: "must be …". */
	message: string;
	/** The message without what only a person can do, in n8n or a spreadsheet. */
	reason?: string;
}

/** A value that cannot be read, and that its item goes out without. */
export interface LeftOut extends Problem {
	/** The field that it is missing in. */
	name: string;
}

/** An item with invalid values. Nothing has been sent for it. */
export class ItemRefusedError extends Error {
	readonly problems: Problem[];

	/** What to do next, where the problems do not say it. */
	readonly description?: string;

	constructor(problems: Problem[], description?: string) {
		super(problems.map(describeProblem).join('; '));
		this.problems = problems;
		this.description = description;
	}
}

/** @throws {ItemRefusedError} */
export function refuseItem(parameter: string, message: string): never {
	throw new ItemRefusedError([{ parameter, message }]);
}

export function describeProblem({ parameter, message }: Problem): string {
	return `${parameter} ${message}`;
}
