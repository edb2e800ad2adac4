import fc from 'fast-check';

/** What an arbitrary draws: so its fields and what they mean stand in one place. */
export type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** One of these, each as often as its weight says. The first one is the simplest. */
export const oneOf = <T,>(...choices: Array<[weight: number, arbitrary: fc.Arbitrary<T>]>) =>
	fc.oneof(
		{ withCrossShrink: true },
		...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
	);

/** Mostly undefined. */
export const seldom = <T,>(arbitrary: fc.Arbitrary<T>) =>
	oneOf<T | undefined>([9, fc.constant(undefined)], [1, arbitrary]);
