import { InvalidValueError } from '../../../nodes/parameters/checks.ts';

export const refused = Symbol('refused');

/** The result of a conversion, or `refused` for an invalid value. */
export function attempt(run: () => unknown): unknown {
	try {
		return run();
	} catch (error) {
		if (error instanceof InvalidValueError) return refused;
		throw error;
	}
}
