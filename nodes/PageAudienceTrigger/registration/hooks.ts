import type { IHookFunctions } from 'n8n-workflow';
import { stop } from '../errors';
import { borrow, giveBack, isBorrowed } from './publishing';
import { beginTest, endTest } from './testing';

/** Whether there is nothing to do. A test always has something to do. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	if (isTestBeginning(context)) return false;
	return await told(context, async () => await isBorrowed(context));
}

export async function create(context: IHookFunctions): Promise<boolean> {
	const begin = isTestBeginning(context) ? beginTest : borrow;
	await told(context, async () => await begin(context));
	return true;
}

export async function remove(context: IHookFunctions): Promise<boolean> {
	const end = isTestEnding(context) ? endTest : giveBack;
	await told(context, async () => await end(context));
	return true;
}

function isTestBeginning(context: IHookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** n8n ends tests and production in the same mode, but only a test's workflow is never active. */
function isTestEnding(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}

async function told<T>(context: IHookFunctions, work: () => Promise<T>): Promise<T> {
	return await work().catch((error: unknown) => stop(context, error));
}
