import { readFileSync, writeFileSync } from 'node:fs';

/** In the code that Stryker changed: how often each change was reached, and which one is made. */
const stryker: {
	mutantCoverage?: { static: Record<string, number> };
	hitCount?: number;
	hitLimit?: number;
} = ((globalThis as Record<string, unknown>).__stryker__ ??= {});
const { testPath = '' } = expect.getState();
const reachedPath = `${testPath}.json`;
const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;

if (mutant) {
	// A change may make a loop endless: it is reached so often that this ends it.
	stryker.hitCount = 0;
	const reached = JSON.parse(readFileSync(reachedPath, 'utf8')) as Record<string, number>;
	stryker.hitLimit = 1_000 + 100 * reached[mutant];
} else {
	afterAll(() => {
		writeFileSync(reachedPath, JSON.stringify(stryker.mutantCoverage?.static ?? {}));
	});
}
