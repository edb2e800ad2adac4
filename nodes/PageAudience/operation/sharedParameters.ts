import type { INodeProperties } from 'n8n-workflow';
import { trimmedText } from '../../parameters/checks';
import { choiceField, numberField, toggleField } from '../../parameters/fields';
import { type Checks, hasAsIs } from '../../parameters/read';
import type { RecordShape } from '../../records/shapes';
import { fileFormats, outputParameters } from './output';

/** Parameters that all operations share. They are read into CommonValues. */

const returnAll = toggleField(
	'Return All',
	'returnAll',
	false,
	'Whether to return all results or only up to a given limit',
	{ displayOptions: { hide: { outputAs: fileFormats, '@tool': [true] } } },
);

export const limit = numberField('Limit', 'limit', 50, 'Max number of results to return', {
	typeOptions: { minValue: 1, numberPrecision: 0 },
});

const listParameters: INodeProperties[] = [
	choiceField(
		'Output As',
		'outputAs',
		'Whether to output the records as items or as one file',
		{
			items: ['Items', 'One item for each record'],
			csv: [
				'CSV File',
				'One item with a file, with a column for each field',
				'Choose csv or jsonl to upload, mail or store a long list: it needs a fraction of the memory of items. The file is in the binary field binaryPropertyName.',
			],
			jsonl: ['JSON Lines File', 'One item with a file, with each record as a line of JSON'],
		},
		{ displayOptions: { hide: { '@tool': [true] } } },
	),
	returnAll,
	{
		...returnAll,
		displayOptions: { show: { '@tool': [true] } },
		hint: 'Up to about 50,000 characters, which a model can read at once',
	},
	{
		...returnAll,
		// Nobody exports the first 50 records of a list.
		default: true,
		displayOptions: { show: { outputAs: fileFormats }, hide: { '@tool': [true] } },
	},
	{ ...limit, required: true, displayOptions: { show: { returnAll: [false] } } },
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		displayOptions: { show: { outputAs: fileFormats }, hide: { '@tool': [true] } },
		hint: 'The name of the output binary field to put the file in',
	},
];

export const listChecks: Checks = { binaryPropertyName: trimmedText };

/** An operation adds `options` of its own, shown among those that every operation has. */
export const ownOptions = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
} as const satisfies INodeProperties;

const byteOrderMark = toggleField(
	'Byte Order Mark',
	'byteOrderMark',
	true,
	'Whether to add the mark that Excel needs to show letters such as ü. Other programs may read it as part of the first column name.',
	{ displayOptions: { show: { '/outputAs': ['csv'] } } },
);

const delimiter = choiceField(
	'Delimiter',
	'delimiter',
	'What separates the columns. Choose Semicolon for Excel in a language with decimal commas, such as German or French. Decimals then have a comma.',
	{ ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' },
	{ displayOptions: { show: { '/outputAs': ['csv'] } } },
);

const escapeFormulas = toggleField(
	'Escape Formulas',
	'escapeFormulas',
	true,
	'Whether to put a quote before text that a spreadsheet could run as a formula, because it begins with =, +, - or @. A phone number such as +49 30 123456 gets one too.',
	{ displayOptions: { show: { '/outputAs': ['csv'] } } },
);

/** What an input without a result becomes, so that its item is not lost for the rest of the workflow. */
export const noResult = { found: false };

/** Of what is looked for and found, so that one If node tells the two apart. */
export const isFound = { type: 'boolean', value: () => true } as const;

/** A model always reads that nothing was found: an empty output says no more than a failure. */
export const keepEmpty = toggleField(
	'Keep Empty Results',
	'keepEmpty',
	true,
	'Whether to output { "found": false } for an input item without results, instead of nothing',
	{ displayOptions: { hide: { '/outputAs': fileFormats, '@tool': [true] } } },
);

const concurrency = numberField(
	'Concurrency',
	'concurrency',
	10,
	'How many items to process at the same time. Changes to the same record still run in order.',
	{ noDataExpression: true, typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 } },
);

const maxRetries = numberField(
	'Max Retries',
	'maxRetries',
	3,
	"How often to retry a request after a lost connection or a temporary failure. Creating a record is retried only with an idempotency key, or after looking for it. With 0, the run doesn't wait for a rate limit either.",
	{ typeOptions: { minValue: 0, maxValue: 10, numberPrecision: 0 } },
);

const dryRun = toggleField(
	'Dry Run',
	'dryRun',
	true,
	'Whether to output each request instead of sending it. Nothing is changed in the service.',
);

/** Of every operation that writes. A model reads what became of its one item. */
const report = toggleField(
	'Report',
	'report',
	true,
	'Whether to output one item that counts what happened and lists failures, instead of one item for each input item',
	{ noDataExpression: true, displayOptions: { hide: { '@tool': [true] } } },
);

/** The way out where a rule for values is wrong: see `asIs` of a check. */
const sendAsIs = toggleField(
	'Send As Is',
	'sendAsIs',
	true,
	'Whether to send values as they are, without blanks around them. Use this if a value is refused or changed although it is right.',
	{ noDataExpression: true, displayOptions: { hide: { '@tool': [true] } } },
);

const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	default: '',
	placeholder: 'e.g. 100',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	description:
		'Number of records to request at a time. Leave empty to request up to 1,000, or fewer if the service limits the number.',
};

const requestsPerSecond = numberField(
	'Requests per Second',
	'requestsPerSecond',
	0,
	'Limit for all executions with the same API key and the same number, e.g. 1.6 for 100 requests a minute. 0 means no limit.',
	{ noDataExpression: true, typeOptions: { minValue: 0 } },
);

const timeout = numberField(
	'Timeout',
	'timeout',
	60000,
	'How long to wait for data from the service, in milliseconds',
	{ typeOptions: { minValue: 1, numberPrecision: 0 } },
);

/** The options of a run, of a node whose Options are unchanged. */
export const usualOptions = {
	concurrency: concurrency.default,
	dryRun: false,
	maxRetries: maxRetries.default,
	report: false,
	requestsPerSecond: requestsPerSecond.default,
	sendAsIs: false,
	timeout: timeout.default,
};

/**
 * All parameters of an operation: its own, those of a list before its collections, and the options that operations share
 * among its own.
 */
export function completeProperties(operation: {
	properties: INodeProperties[];
	paging?: unknown;
	checks?: Checks;
	writes?: unknown;
	output?: { shape?: RecordShape };
}): INodeProperties[] {
	const { properties, checks, writes, output } = operation;
	const isList = operation.paging !== undefined;
	const own = properties.filter(({ name }) => name !== 'options');
	const ownOption = properties.find(({ name }) => name === 'options');
	const isCollection = ({ type }: INodeProperties) =>
		type === 'collection' || type === 'fixedCollection';
	const firstCollection = own.findIndex(isCollection);
	const listAt = firstCollection < 0 ? own.length : firstCollection;
	const options = [
		...[concurrency, maxRetries, requestsPerSecond, timeout],
		...(isList ? [byteOrderMark, delimiter, escapeFormulas, keepEmpty, pageSize] : []),
		...(ownOption?.options ?? []),
		...(writes ? [dryRun, report] : []),
		...(writes && hasAsIs(checks) ? [sendAsIs] : []),
	] as INodeProperties[];
	return [
		...own.slice(0, listAt),
		...(isList ? listParameters : []),
		...own.slice(listAt),
		...(output?.shape?.simplified ? outputParameters(output.shape, isList) : []),
		// By label, as n8n shows them.
		{ ...ownOptions, options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)) },
	];
}
