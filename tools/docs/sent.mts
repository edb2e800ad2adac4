import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../nodes/PageAudience/operation/operation.ts';
import { ItemRefusedError } from '../../nodes/parameters/problem.ts';
import type { Endpoint } from './document.mts';
import { makeRequest, type Parameters, sentBody } from './parameters.mts';

export const isRefusedWithout = (
	operation: Operation,
	parameters: Parameters,
	{ name }: INodeProperties,
): boolean =>
	makeRequest(operation, { ...parameters, [name]: undefined }) instanceof ItemRefusedError;

/** Where a value is sent. */
export function describePlace(
	operation: Operation,
	endpoint: Endpoint,
	parameters: Parameters,
	name: string,
): string {
	const special: Record<string, string> = {
		jsonBody: 'the whole body',
		payloadFields: 'body, as `payload`',
		fieldsToClear: describeClearing(operation, parameters),
	};
	if (special[name]) return special[name];
	if (endpoint.body?.properties?.[name]) return 'body';
	if (endpoint.query[name]) return 'query';
	return endpoint.pathNames.some((each) => each.replaceAll('_', '') === name.toLowerCase())
		? 'path'
		: '';
}

/** The request body that clears every field that can be cleared. */
function describeClearing({ ...operation }: Operation, parameters: Parameters): string {
	const property = operation.properties.find(({ name }) => name === 'fieldsToClear');
	const all = (property?.options ?? []).map((option) => ('value' in option ? option.value : ''));
	const ids = Object.entries(parameters).filter(([name]) => /Id$/.test(name));
	const made = makeRequest(operation, { ...Object.fromEntries(ids), fieldsToClear: all });
	return made instanceof ItemRefusedError ? '' : `body, as \`${JSON.stringify(sentBody(made))}\``;
}

/** The request body when only the required parameters have values. */
export function describeLeast(operation: Operation, parameters: Parameters): string[] {
	const needed = operation.properties.filter(
		(property) =>
			property.name !== 'updateFields' &&
			!property.displayOptions?.show?.specifyBody?.includes('json') &&
			(property.required || isRefusedWithout(operation, parameters, property)),
	);
	const least = Object.fromEntries(
		needed.map(({ name, type }) => [
			name,
			type === 'fixedCollection' ? takeFirstRow(parameters[name]) : parameters[name],
		]),
	);
	const made = makeRequest(operation, least);
	if (made instanceof ItemRefusedError)
		return [`Without any other value, the item fails: ${made.message}.`];
	if (made.body === undefined) return [];
	return [`Smallest request body: \`${JSON.stringify(sentBody(made))}\``];
}

const takeFirstRow = (groups: unknown): object =>
	Object.fromEntries(
		Object.entries(groups as Record<string, unknown[]>).map(([name, rows]) => [name, [rows[0]]]),
	);
