import type { INodeProperties } from 'n8n-workflow';
import type { ApiRequest } from '../../nodes/api/request.ts';
import type { Operation } from '../../nodes/PageAudience/operation/operation.ts';
import { readValues } from '../../nodes/parameters/read.ts';
import { resources } from '../../nodes/PageAudience/resources/index.ts';

export type Parameters = Record<string, unknown>;

export const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		name: `${resource.value}.${operation.value}`,
		resource: resource.name,
		label: `${resource.name} > ${operation.name}`,
		operation,
	})),
);

/** Values for parameters that accept only some texts, and the modes that send the parameters themselves. */
const samples: Record<string, string> = {
	domain: 'sample.example',
	email: 'sample@sample.example',
	linkedinProfileUrl: 'https://www.linkedin.com/in/sample',
	phoneNumber: '+49 30 1234567',
	accountId: 'account_0123456789abcdefghijklmnop',
	personId: 'prospect_0123456789abcdefghijklmnop',
	source: 'sample-source',
	type: 'sample-type',
	url: 'https://example.com/sample',
	actionUrlOverride: 'https://example.com/override',
	canonicalUrl: 'https://example.com/canonical',
	ogUrl: 'https://example.com/shared',
	path: '/sample',
	specifyBody: 'fields',
	splitBy: 'none',
	payloadMode: 'fields',
	mode: 'custom',
};

/** A value as a workflow stores it. It is never the default, so that a parameter that is not read fails a test. */
function makeValue(property: INodeProperties): unknown {
	const { name, type, default: usual, options = [] } = property;
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	switch (type) {
		case 'number':
			return 7;
		case 'boolean':
			return usual !== true;
		case 'dateTime':
			return name === 'endDate' ? '2026-01-31T09:00:00Z' : '2026-01-31T08:00:00Z';
		case 'options':
			return samples[name] ?? values.find((value) => value !== usual);
		case 'multiOptions':
			return name === 'fieldsToClear' ? [] : values;
		case 'assignmentCollection':
			return { assignments: [{ id: '1', name: 'field', value: 'value', type: 'string' }] };
		case 'collection':
			return makeValues(options as INodeProperties[]);
		case 'fixedCollection':
			return makeRows(property);
		case 'resourceLocator':
			return { __rl: true, mode: 'id', value: samples[name] ?? `sample_${name}` };
		default:
			return property.typeOptions?.multipleValues
				? [`${name} 1`, `${name} 2`]
				: (samples[name] ?? `sample ${name}`);
	}
}

function makeRows({ options = [], typeOptions }: INodeProperties): unknown {
	const groups = options as Array<{ name: string; values: INodeProperties[] }>;
	return Object.fromEntries(
		groups.map(({ name, values }) => {
			const row = makeValues(values);
			return [name, typeOptions?.multipleValues ? [row, row] : row];
		}),
	);
}

function makeValues(properties: INodeProperties[]): Parameters {
	const made: Parameters = {};
	for (const property of properties) made[property.name] ??= makeValue(property);
	return made;
}

/** What Options has for a request. The rest is about the run and its output. */
const sentOptions = /^(?:idempotency|include(?:Deleted|EmptyOnly|PersonActivity)?)$/;

/** Every parameter of an operation that is about a request, filled in. */
export function makeParameters({ properties }: Operation): Parameters {
	const made = makeValues(
		properties.map((property) => {
			if (property.name !== 'options') return property;
			const options = (property.options as INodeProperties[]).filter(({ name }) =>
				sentOptions.test(name),
			);
			return { ...property, options };
		}),
	);
	return 'matchOn' in made ? matchOnOne(made) : made;
}

/** Of the fields to match on, only the chosen one is shown, and it is not set a second time. */
function matchOnOne({ email, linkedinProfileUrl, phoneNumber, ...made }: Parameters): Parameters {
	const fields: Parameters = { email, linkedinProfileUrl, phoneNumber };
	const matchOn = String(made.matchOn);
	delete (made.additionalFields as Parameters | undefined)?.[matchOn];
	return { ...made, [matchOn]: fields[matchOn] };
}

/**
 * The request of an operation for these parameters.
 * @throws {ItemRefusedError} when they are not valid
 */
export function makeRequest(operation: Operation, parameters: Parameters): ApiRequest {
	const values = readValues(operation.properties, operation.checks ?? {}, {
		get: (name) => parameters[name] ?? null,
		zone: 'UTC',
		isTool: false,
	});
	const request = operation.request(values, {
		...{ json: {}, zone: 'UTC', leftOut: [] },
		...{ makeIdempotencyKey: () => 'a-key', hint: () => undefined },
	});
	const paging = operation.paging && { [operation.paging]: 1, limit: 1 };
	return { ...request, query: { ...request.query, ...paging } };
}
