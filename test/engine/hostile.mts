import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Stage } from './stage.mts';

/** Runs items that may all fail: what was sent for them, and every message. */
export async function runHostile(stage: Stage, parameters: INodeParameters, items: IDataObject[]) {
	stage.sandbox.requests.length = 0;
	const { output, error } = await stage.run(
		{ options: { concurrency: 1, maxRetries: 0 }, ...parameters },
		items,
		{ onError: 'continueRegularOutput' },
	);
	const told = output.flatMap(({ json }) => (json.error === undefined ? [] : [String(json.error)]));
	if (error) told.push(error.message);
	for (const message of told) expectClear(message);
	const bodies = stage.sandbox.requests.map(({ body }) => body as IDataObject);
	return { told, requests: stage.received, bodies };
}

/** A short text for people, without the wording of an unexpected error. */
function expectClear(message: string): void {
	expect(message).not.toMatch(unexpectedWords);
	expect(message.length).toBeLessThan(1000);
}

/** What a message says that nobody wrote for people. */
export const unexpectedWords =
	/TypeError|URIError|RangeError|is not a function|undefined|(?<!type-|contains )\[object|[Cc]annot read|[Mm]alformed|[Cc]ircular|[Ss]erialize/;
