import type { Sandbox } from '../../sandbox/index.mts';
import { call } from './calling.mts';
import { describeExamples, type Example } from './endpoints.mts';

export const text = (length: number): string => 'x'.repeat(length);

/** The required fields of a log. */
export const log = { source: 'web', type: 'visit', payload: {} };

export function getExample(sandbox: Sandbox, operationId: string): Example {
	const example = describeExamples(sandbox).find((one) => one.operationId === operationId);
	if (!example) throw new Error(`No example of ${operationId}`);
	return example;
}

/** Sends another body to the endpoint of the example. `expected` is the documented status. */
export async function sendBody(sandbox: Sandbox, operationId: string, body: unknown) {
	const { method, path, status: expected } = getExample(sandbox, operationId);
	const { status, data } = await call(sandbox, method, path, { body });
	return { status, data, expected };
}
