const secondsBetweenSigns = 5;

/** Says what is done, shows that it lives while it takes long, and how long it took. `work` returns what to say at the end. */
export async function showStep<Result>(
	title: string,
	work: () => Promise<Result>,
	describe: (result: Result) => string,
): Promise<Result> {
	const started = Date.now();
	const seconds = (): string => `${((Date.now() - started) / 1000).toFixed(1)} s`;
	console.log(`${title} …`);
	const signs = setInterval(() => console.log(`  … ${seconds()}`), secondsBetweenSigns * 1000);
	try {
		const result = await work();
		console.log(`  ${describe(result)} (${seconds()})`);
		return result;
	} finally {
		clearInterval(signs);
	}
}
