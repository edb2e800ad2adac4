import type { INodeProperties } from 'n8n-workflow';
import { trimmedText } from '../../parameters/checks';
import {
	choiceField,
	collectionField,
	concurrency,
	flagChecks,
	groupField,
	numberField,
	requestLimits,
	requestsPerSecond,
	timeout,
	toggleField,
} from '../../parameters/fields';
import { type Checks, hasAsIs } from '../../parameters/read';
import { type OutputGroup, outputFields, outputParameters } from './output';

/** Parameters that all operations share. They are read into CommonValues. */

const returnAll = toggleField(
	'Return All',
	'returnAll',
	false,
	'Whether to return all results or only up to a given limit',
	{ displayOptions: { hide: { '@tool': [true] } } },
);

export const limit = numberField('Limit', 'limit', 50, 'Max number of results to return', {
	typeOptions: { minValue: 1, numberPrecision: 0 },
});

const listParameters: INodeProperties[] = [
	returnAll,
	{
		...returnAll,
		displayOptions: { show: { '@tool': [true] } },
		description:
			'Whether to return all results, up to about 50,000 characters, or only up to a given limit',
	},
	{ ...limit, required: true, displayOptions: { show: { returnAll: [false] } } },
];

export const optionChecks: Checks = { ...flagChecks, file: { binaryPropertyName: trimmedText } };

/** An operation adds `options` of its own, shown among those that every operation has. */
export const ownOptions = collectionField('Options', 'options', 'option');

const inCsv = { displayOptions: { show: { format: ['csv'] } } };

const file = groupField(
	'Output as File',
	'file',
	'One item with a file in place of one item per record. Turn on Return All to export everything.',
	[
		choiceField(
			'Format',
			'format',
			'One item with a file, in place of one item per record. It has all fields, or those of Output Fields.',
			{
				csv: ['CSV', 'A table with a column for each field'],
				jsonl: ['JSON Lines', 'Each record as a line of JSON'],
			},
			{ hint: 'To export everything, turn on Return All' },
		),
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the output binary field to put the file in',
		},
		choiceField(
			'Delimiter',
			'delimiter',
			'What separates the columns. For Excel with decimal commas, as in German or French, choose Semicolon: decimals then have a comma.',
			{ ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' },
			inCsv,
		),
		toggleField(
			'Byte Order Mark (BOM)',
			'byteOrderMark',
			false,
			'Whether to mark the file as UTF-8, so that Excel shows letters such as ü. Other programs may not expect it.',
			inCsv,
		),
		toggleField(
			'Escape Formulas',
			'escapeFormulas',
			true,
			'Whether to put a quote before text that begins with =, +, - or @, which a spreadsheet could run as a formula',
			inCsv,
		),
	],
	{
		builderHint: {
			propertyHint:
				'Set this to upload, mail or store a long list: it needs a fraction of the memory of items. The file is in the binary field binaryPropertyName.',
		},
		displayOptions: { hide: { '@tool': [true] } },
	},
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
	{ displayOptions: { hide: { '@tool': [true] } } },
);

const maxRetries = numberField(
	'Max Retries',
	'maxRetries',
	3,
	"How often to retry after a lost connection or temporary failure, unless that could create duplicates. With 0, the run doesn't wait for rate limits.",
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
	'Whether to send values exactly as entered, without correcting or checking them. Spaces at both ends are removed.',
);

const pageSize: INodeProperties = {
	displayName: 'Records per Request',
	name: 'pageSize',
	type: 'number',
	default: '',
	placeholder: 'e.g. 100',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	description:
		'How many records to request at a time. Leave empty for 1,000, or 100 if the service accepts no more.',
};

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
	output?: OutputGroup;
}): INodeProperties[] {
	const { properties, checks, writes, output, paging } = operation;
	const isList = paging !== undefined;
	const own = properties.filter(({ name }) => name !== 'options');
	const ownOption = properties.find(({ name }) => name === 'options');
	const firstCollection = own.findIndex(({ type }) => /collection$/i.test(type));
	const listAt = firstCollection < 0 ? own.length : firstCollection;
	const options = [
		requestLimits([
			concurrency,
			maxRetries,
			...(isList ? [pageSize] : []),
			requestsPerSecond,
			timeout,
		]),
		...(isList && output?.shape ? [keepEmpty, file, outputFields(output.shape)] : []),
		...(ownOption?.options ?? []),
		...(writes ? [dryRun, report] : []),
		...(hasAsIs(checks) ? [sendAsIs] : []),
	] as INodeProperties[];
	return [
		...own.slice(0, listAt),
		...(isList ? listParameters : []),
		...own.slice(listAt),
		...(output?.shape?.simplified ? outputParameters(output.shape) : []),
		// By label, as n8n shows them.
		{ ...ownOptions, options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)) },
	];
}
