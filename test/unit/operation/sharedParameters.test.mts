import type { INodeProperties } from 'n8n-workflow';
import { outputParameters, toTitle } from '../../../nodes/PageAudience/operation/output.ts';
import {
	completeProperties,
	listParameters,
	usualOptions,
} from '../../../nodes/PageAudience/operation/sharedParameters.ts';
import { readRunOptions } from '../../../nodes/PageAudience/run/parameters.ts';

/** The options of an operation that has none of its own. */
function optionsOf(isList: boolean): INodeProperties {
	const [options] = completeProperties([], { isList, writes: false }).slice(-1);
	return options;
}

test.each([
	['name', 'Name'],
	['formSubmissionId', 'Form Submission ID'],
	['actionUrlOverride', 'Action URL Override'],
	['utmSource', 'UTM Source'],
	['idleUtmUrlId', 'Idle UTM URL ID'],
	['identity', 'Identity'],
])('the label of %s is %s', (name, label) => {
	expect(toTitle(name)).toBe(label);
});

describe('the options of a run', () => {
	const read = (options: unknown) =>
		readRunOptions([optionsOf(true)], {
			get: () => options,
			zone: 'UTC',
			isTool: false,
		});

	test('that are not set, or left blank, have their defaults', () => {
		expect(usualOptions).toEqual({
			concurrency: 10,
			dryRun: false,
			maxRetries: 3,
			report: false,
			requestsPerSecond: 0,
			timeout: 60_000,
		});
		expect(read({})).toEqual(usualOptions);
		expect(read({ concurrency: '', maxRetries: 0, pageSize: 7 })).toEqual({
			...usualOptions,
			maxRetries: 0,
			pageSize: 7,
		});
	});

	test('that are invalid say so', () => {
		expect(() => read({ maxRetries: 'many' })).toThrow(
			'Options > Max Retries must be a number, but is "many"',
		);
	});
});

const shape = { id: 'pageId', fields: ['title', 'pageId'], simplified: ['pageId'] };
const parameters = [
	...listParameters,
	...outputParameters(shape, true),
	optionsOf(true),
	...(optionsOf(true).options as INodeProperties[]),
];

test.each(parameters.map((parameter) => [parameter.name, parameter] as const))(
	'%s has a label and a text that explains it',
	(name, { displayName, type, description, placeholder, hint }) => {
		expect(displayName).toMatch(/^[A-Z]/);
		// n8n's own nodes have one other label.
		const label = displayName === 'Put Output File in Field' ? 'binaryPropertyName' : displayName;
		expect(label.replaceAll(' ', '').toLowerCase()).toBe(name.toLowerCase());
		expect(type === 'collection' ? placeholder : (description ?? hint)).toMatch(
			/^(Whether to )?[A-Z].{8}/,
		);
	},
);

describe('stored workflows and agents rely on', () => {
	/** Of a parameter what works on its value. */
	const core = ({
		displayName: _,
		description: __,
		placeholder: ___,
		hint: ____,
		...rest
	}: INodeProperties) => rest;
	const tool = { '@tool': [true] };
	const files = { outputAs: ['csv', 'jsonl'] };

	test('the form and the limit of a list', () => {
		const description = expect.stringMatching(/^One item .{8}/) as string;
		const [outputAs, ...rest] = listParameters;
		expect(core(outputAs)).toEqual({
			name: 'outputAs',
			type: 'options',
			default: 'items',
			displayOptions: { hide: tool },
			options: [
				expect.objectContaining({ name: 'CSV File', value: 'csv', description }),
				{ name: 'Items', value: 'items', description },
				{ name: 'JSON Lines File', value: 'jsonl', description },
			],
		});
		expect(rest.map(core)).toEqual([
			{ name: 'returnAll', type: 'boolean', default: false, displayOptions: { hide: files } },
			{
				name: 'returnAll',
				type: 'boolean',
				default: true,
				displayOptions: { show: files, hide: { '@tool': [true] } },
			},
			{
				name: 'limit',
				type: 'number',
				default: 50,
				required: true,
				typeOptions: { minValue: 1, numberPrecision: 0 },
				displayOptions: { show: { returnAll: [false] } },
			},
			{
				name: 'binaryPropertyName',
				type: 'string',
				default: 'data',
				required: true,
				displayOptions: { show: files, hide: { '@tool': [true] } },
			},
		]);
	});

	test('the options and their bounds', () => {
		const membersOf = ({ options }: INodeProperties) => (options as INodeProperties[]).map(core);
		const whole = { numberPrecision: 0 };
		const number = { type: 'number' };
		const concurrency = {
			...number,
			name: 'concurrency',
			default: 10,
			noDataExpression: true,
			typeOptions: { minValue: 1, maxValue: 100, ...whole },
		};
		const maxRetries = {
			...number,
			name: 'maxRetries',
			default: 3,
			typeOptions: { minValue: 0, maxValue: 10, ...whole },
		};
		const pageSize = {
			...number,
			name: 'pageSize',
			default: '',
			typeOptions: { minValue: 1, ...whole },
		};
		const requestsPerSecond = {
			...number,
			name: 'requestsPerSecond',
			default: 0,
			noDataExpression: true,
			typeOptions: { minValue: 0 },
		};
		const timeout = {
			...number,
			name: 'timeout',
			default: 60_000,
			typeOptions: { minValue: 1, ...whole },
		};
		const ofCsv = { type: 'boolean', displayOptions: { show: { '/outputAs': ['csv'] } } };
		expect(membersOf(optionsOf(false))).toEqual([
			concurrency,
			maxRetries,
			requestsPerSecond,
			timeout,
		]);
		expect(membersOf(optionsOf(true))).toEqual([
			{ ...ofCsv, name: 'byteOrderMark', default: true },
			concurrency,
			{
				...ofCsv,
				name: 'delimiter',
				type: 'options',
				default: ',',
				options: [
					{ name: 'Comma', value: ',' },
					{ name: 'Semicolon', value: ';' },
					{ name: 'Tab', value: '\t' },
				],
			},
			{ ...ofCsv, name: 'escapeFormulas', default: true },
			maxRetries,
			pageSize,
			requestsPerSecond,
			timeout,
		]);
		for (const options of [optionsOf(false), optionsOf(true)])
			expect(options).toMatchObject({ name: 'options', type: 'collection', default: {} });
	});

	test('the form of the output, with Simplify by default', () => {
		const description = expect.stringMatching(/^[A-Z].{8}/) as string;
		const [simplify, output, outputFields] = outputParameters(shape, false);
		expect(core(simplify)).toEqual({
			name: 'simplify',
			type: 'boolean',
			default: true,
			displayOptions: { hide: tool },
		});
		const [ofList, ...others] = outputParameters(shape, true);
		expect(ofList).toEqual({ ...simplify, displayOptions: { hide: { ...tool, ...files } } });
		expect(others).toEqual([output, outputFields]);
		expect(core(output)).toEqual({
			name: 'output',
			type: 'options',
			default: 'simplified',
			displayOptions: { show: tool },
			options: [
				{ name: 'Raw', value: 'raw', description },
				{ name: 'Selected Fields', value: 'selectedFields', description },
				{ name: 'Simplified', value: 'simplified', description },
			],
		});
		expect(core(outputFields)).toEqual({
			name: 'outputFields',
			type: 'multiOptions',
			default: [],
			displayOptions: { show: { ...tool, output: ['selectedFields'] } },
			options: [
				{ name: 'Page ID', value: 'pageId' },
				{ name: 'Title', value: 'title' },
			],
		});
		expect(shape.fields).toEqual(['title', 'pageId']);
	});
});
