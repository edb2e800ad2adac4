import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/index.mts';
import { runNode } from './engine.mts';

/** What two items come to: what was sent for them, and what is told. */
export async function runHostile(
	sandbox: Sandbox,
	parameters: INodeParameters,
	items: IDataObject[],
) {
	sandbox.requests.length = 0;
	const { output, error } = await runNode({
		parameters: { options: { concurrency: 1, maxRetries: 0 }, ...parameters },
		items,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		onError: 'continueRegularOutput',
	});
	const told = output.flatMap(({ json }) => (json.error === undefined ? [] : [String(json.error)]));
	if (error) told.push(error.message);
	for (const message of told) expectClear(message);
	const requests = sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	return { told, requests, bodies: sandbox.requests.map(({ body }) => body as IDataObject) };
}

/** A text for people: no slip of the program, and not endless. */
function expectClear(message: string): void {
	expect(message).not.toMatch(
		/TypeError|URIError|RangeError|is not a function|undefined|(?<!type-)\[object/,
	);
	expect(message).not.toMatch(/cannot read|malformed|circular|serialize/i);
	expect(message.length).toBeLessThan(1000);
}
