import type { IHookFunctions } from 'n8n-workflow';
import { toThrown } from '../errors';
import { isConnected, publish } from './publish';
import { beginTest, endTest } from './testRun';
import { unpublish } from './unpublish';

/** Whether there is nothing to do. A test run always has something to do. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	return !isTestBeginning(context) && (await withNodeErrors(context, isConnected));
}

export async function create(context: IHookFunctions): Promise<boolean> {
	await withNodeErrors(context, isTestBeginning(context) ? beginTest : publish);
	return true;
}

export async function remove(context: IHookFunctions): Promise<boolean> {
	// n8n ends test runs and production in the same mode, but only a test run's workflow is never active.
	await withNodeErrors(context, context.getWorkflow().active ? unpublish : endTest);
	return true;
}

function isTestBeginning(context: IHookFunctions): boolean {
	return context.getMode() === 'manual';
}

async function withNodeErrors<T>(
	context: IHookFunctions,
	work: (context: IHookFunctions) => Promise<T>,
): Promise<T> {
	return await work(context).catch((error: unknown) => {
		throw toThrown(context.getNode(), error);
	});
}
