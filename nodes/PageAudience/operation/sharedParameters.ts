import type { INodeProperties } from 'n8n-workflow';
import type { RecordShape } from './output';

/** The parameters that operations share; they are read into CommonValues. */

export const listParameters: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		default: 50,
		required: true,
		typeOptions: { minValue: 1, numberPrecision: 0 },
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

const concurrency = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	default: 10,
	noDataExpression: true,
	typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	description:
		'How many items to work on at once. Changes to the same record always go out one after another.',
} as const satisfies INodeProperties;

const maxRetries = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	default: 3,
	typeOptions: { minValue: 0, maxValue: 10, numberPrecision: 0 },
	description:
		'How often to send a request again after a lost connection or a passing fault of the service. What could then be done twice is never sent again. With 0, rate limits are not waited for either.',
} as const satisfies INodeProperties;

const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	default: '',
	placeholder: 'e.g. 100',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	description: 'How many records to ask for at once. Left empty, 100 are asked for.',
};

const requestsPerSecond = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	default: 0,
	noDataExpression: true,
	typeOptions: { minValue: 0 },
	description:
		'The most requests to send in a second, over all items of this run. 0 sets no limit.',
} as const satisfies INodeProperties;

const timeout = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	default: 60000,
	typeOptions: { minValue: 1, numberPrecision: 0 },
	description: 'How long to wait without a sign of the service, in milliseconds',
} as const satisfies INodeProperties;

export interface Options {
	concurrency: number;
	maxRetries: number;
	pageSize?: number;
	requestsPerSecond: number;
	timeout: number;
}

/** What holds where Options are left as they are. */
export const usualOptions: Options = {
	concurrency: concurrency.default,
	maxRetries: maxRetries.default,
	requestsPerSecond: requestsPerSecond.default,
	timeout: timeout.default,
};

/** An option that was added and left blank is as if it had not been added. */
export function completeOptions(given: Partial<Options> = {}): Options {
	const set = Object.entries(given).filter(([, value]) => value !== undefined);
	return { ...usualOptions, ...Object.fromEntries(set) };
}

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [concurrency, maxRetries, requestsPerSecond, timeout],
};

export const recordOptions = options;

export const listOptions: INodeProperties = {
	...options,
	options: [concurrency, maxRetries, pageSize, requestsPerSecond, timeout],
};

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Simplify for people; for an AI tool, whose every answer is read by a model, three forms with the small one first. */
export function outputParameters({ fields }: RecordShape, simplifies: boolean): INodeProperties[] {
	return [
		{ ...simplify, default: simplifies },
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: 'simplified',
			displayOptions: { show: { '@tool': [true] } },
			description: 'How much of each record to return',
			options: [
				{ name: 'Raw', value: 'raw', description: 'Every field as the API sends it' },
				{
					name: 'Selected Fields',
					value: 'selectedFields',
					description: 'Only the fields you name, and the ID',
				},
				{ name: 'Simplified', value: 'simplified', description: 'The fields that matter most' },
			],
		},
		{
			displayName: 'Output Fields',
			name: 'outputFields',
			type: 'multiOptions',
			default: [],
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			description:
				'The fields to return; the ID always is. Several can be given as comma-separated text.',
			options: [...fields].sort().map((name) => ({ name: toTitle(name), value: name })),
		},
	];
}

/** `formSubmissionId` as "Form Submission ID". */
function toTitle(name: string): string {
	return name
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (first) => first.toUpperCase())
		.replace(/\bId\b/g, 'ID')
		.replace(/\bUrl\b/g, 'URL')
		.replace(/\bUtm\b/g, 'UTM');
}
