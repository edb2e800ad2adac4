import type { IHookFunctions } from 'n8n-workflow';
import { toThrown } from '../errors';
import { publish } from './publish';
import { beginTest, endTest } from './testRun';
import { unpublish } from './unpublish';

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
