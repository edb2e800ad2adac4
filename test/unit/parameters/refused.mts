import { InvalidValueError } from '../../../nodes/parameters/checks.ts';

/** What a conversion tells of an invalid value. */
export const told = (message: string) => ({ told: message });

/** An invalid value, whatever is told of it. */
export const refused = told(expect.any(String) as string);

/** Rows of a table for values that are refused. */
export const refuse = (...values: unknown[]) =>
	values.map((value): [unknown, unknown] => [value, refused]);

/** The result of a conversion, or what it tells of an invalid value. */
export function attempt(run: () => unknown): unknown {
	try {
		return run();
	} catch (error) {
		if (error instanceof InvalidValueError) return told(error.message);
		throw error;
	}
}
