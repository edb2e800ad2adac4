import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { defaultGuesses } from '../../../sandbox/guesses.mts';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import { type OfflineRun, runOffline } from '../offline.mts';
import type { Reply } from '../fakeNetwork.mts';
import { requestLimits } from '../../groups.mts';

export const sandbox = new SandboxInProcess();
/** Another one for each test: what the process has written lately, with the same one, would still be there. */
const credential = { apiKey: '' };
let tests = 0;
beforeEach(() => {
	credential.apiKey = `key-${++tests}`;
	sandbox.store.persons.clear();
	Object.assign(sandbox.guesses, defaultGuesses);
});

export const lost: Reply = { lost: 'ECONNRESET', message: 'lost' };

/** What becomes of the first attempt to create a record. */
export type FirstCreation = Reply | 'lost before the work' | 'lost after the work';

interface CreatingRun extends Partial<OfflineRun> {
	parameters: INodeParameters;
	options?: INodeParameters;
	first?: FirstCreation;
}

/** Runs the node with an operation that looks before it creates. */
export async function run(
	items: IDataObject[],
	{ options, first, parameters, ...more }: CreatingRun,
) {
	let creations = 0;
	const result = await runOffline({
		items,
		credential,
		parameters: { ...parameters, options: { ...requestLimits({ concurrency: 1 }), ...options } },
		answer: (request) => {
			const isFirst = request.method === 'POST' && creations++ === 0;
			if (!isFirst || !first) return sandbox.answer(request);
			if (typeof first === 'object') return first;
			if (first === 'lost after the work') sandbox.answer(request);
			return lost;
		},
		...more,
	});
	return {
		...result,
		creations,
		requests: result.exchanges.map(({ request: { method, path } }) => `${method} ${path}`),
		outcomes: result.output.map(({ json }) => json.outcome ?? json.error),
	};
}
