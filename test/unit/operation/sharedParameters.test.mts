import type { INodeProperties } from 'n8n-workflow';
import {
	completeOptions,
	listOptions,
	listParameters,
	outputParameters,
	recordOptions,
	toTitle,
	usualOptions,
} from '../../../nodes/PageAudience/operation/sharedParameters.ts';

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

test('options that are not set have their defaults', () => {
	expect(usualOptions).toEqual({
		concurrency: 10,
		maxRetries: 3,
		requestsPerSecond: 0,
		timeout: 60_000,
	});
	expect(completeOptions()).toEqual(usualOptions);
	expect(completeOptions({ concurrency: undefined, maxRetries: 0, pageSize: 7 })).toEqual({
		...usualOptions,
		maxRetries: 0,
		pageSize: 7,
	});
});

const shape = { id: 'pageId', fields: ['title', 'pageId'], simplified: ['pageId'] };
const parameters = [
	...listParameters,
	...outputParameters(shape),
	listOptions,
	recordOptions,
	...([listOptions, recordOptions].flatMap(({ options }) => options) as INodeProperties[]),
];

test.each(parameters.map((parameter) => [parameter.name, parameter] as const))(
	'%s has a label and a text that explains it',
	(name, { displayName, type, description, placeholder }) => {
		expect(displayName).toMatch(/^[A-Z]/);
		expect(displayName.replaceAll(' ', '').toLowerCase()).toBe(name.toLowerCase());
		expect(type === 'collection' ? placeholder : description).toMatch(/^(Whether to )?[A-Z].{8}/);
	},
);

describe('stored workflows and agents rely on', () => {
	/** Of a parameter what works on its value. */
	const core = ({ displayName: _, description: __, placeholder: ___, ...rest }: INodeProperties) =>
		rest;
	const tool = { '@tool': [true] };

	test('the limit of a list', () => {
		expect(listParameters.map(core)).toEqual([
			{ name: 'returnAll', type: 'boolean', default: false },
			{
				name: 'limit',
				type: 'number',
				default: 50,
				required: true,
				typeOptions: { minValue: 1, numberPrecision: 0 },
				displayOptions: { show: { returnAll: [false] } },
			},
		]);
	});

	test('the options and their bounds', () => {
		const optionsOf = ({ options }: INodeProperties) => (options as INodeProperties[]).map(core);
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
		expect(optionsOf(recordOptions)).toEqual([concurrency, maxRetries, requestsPerSecond, timeout]);
		expect(optionsOf(listOptions)).toEqual([
			concurrency,
			maxRetries,
			pageSize,
			requestsPerSecond,
			timeout,
		]);
		for (const options of [recordOptions, listOptions])
			expect(options).toMatchObject({ name: 'options', type: 'collection', default: {} });
	});

	test('the form of the output, with Simplify by default', () => {
		const description = expect.stringMatching(/^[A-Z].{8}/) as string;
		const [simplify, output, outputFields] = outputParameters(shape);
		expect(core(simplify)).toEqual({
			name: 'simplify',
			type: 'boolean',
			default: true,
			displayOptions: { hide: tool },
		});
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
