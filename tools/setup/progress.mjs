const secondsBetweenSigns = 10;

/**
 * Runs `work` and returns its result with the seconds it took.
 * Calls `showSign` every few seconds, so that a long wait does not look like a hang.
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {(seconds: string) => void} showSign
 * @returns {Promise<{ result: Result, seconds: string }>}
 */
export async function timeWork(work, showSign) {
	const started = Date.now();
	const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
	const signs = setInterval(() => showSign(seconds()), secondsBetweenSigns * 1000);
	try {
		return { result: await work(), seconds: seconds() };
	} finally {
		clearInterval(signs);
	}
}

/**
 * Prints what is being done, a sign of life while it takes long, and the result with its duration.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @param {(result: Result) => string} describeResult
 * @param {() => string} describeState printed with each sign of life
 * @returns {Promise<Result>}
 */
export async function showStep(title, work, describeResult, describeState = () => '') {
	console.log(`${title} …`);
	const { result, seconds } = await timeWork(work, (soFar) =>
		console.log(`  … ${soFar} s  ${describeState()}`.trimEnd()),
	);
	console.log(`  ${describeResult(result)} (${seconds} s)`);
	return result;
}
