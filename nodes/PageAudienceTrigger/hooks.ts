import type { IHookFunctions } from 'n8n-workflow';
import { toThrown } from '../errors';
import { isConnected, publish } from './publish';
import { beginTest, endTest } from './testRun';
import { unpublish } from './unpublish';

/** Whether there is nothing to do. A test run always has something to do. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	if (isTestBeginning(context)) return false;
	return await withNodeErrors(context, async () => await isConnected(context));
}

export async function create(context: IHookFunctions): Promise<boolean> {
	const begin = isTestBeginning(context) ? beginTest : publish;
	await withNodeErrors(context, async () => await begin(context));
	return true;
}

export async function remove(context: IHookFunctions): Promise<boolean> {
	const end = isTestEnding(context) ? endTest : unpublish;
	await withNodeErrors(context, async () => await end(context));
	return true;
}

function isTestBeginning(context: IHookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** n8n ends test runs and production in the same mode, but only a test run's workflow is never active. */
function isTestEnding(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}

async function withNodeErrors<T>(context: IHookFunctions, work: () => Promise<T>): Promise<T> {
	return await work().catch((error: unknown) => {
		throw toThrown(context.getNode(), error);
	});
}
