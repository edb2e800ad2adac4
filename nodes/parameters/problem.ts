/** One value of one item that is not sent, told for people. */
export interface Problem {
	/** The parameter's label as the panel shows it, e.g. `Additional Fields > Email`. */
	parameter: string;
	/** Goes on after the label: "must be …". */
	message: string;
}

/** An item that is refused before anything is sent for it. */
export class ItemRefusedError extends Error {
	readonly problems: Problem[];

	constructor(problems: Problem[]) {
		super(problems.map(describeProblem).join('; '));
		this.problems = problems;
	}
}

/** @throws {ItemRefusedError} */
export function refuseItem(parameter: string, message: string): never {
	throw new ItemRefusedError([{ parameter, message }]);
}

export function describeProblem({ parameter, message }: Problem): string {
	return `'${parameter}' ${message}`;
}
