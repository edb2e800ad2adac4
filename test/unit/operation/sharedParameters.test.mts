import { toTitle } from '../../../nodes/records/shapes.ts';
import {
	completeProperties,
	usualOptions,
} from '../../../nodes/PageAudience/operation/sharedParameters.ts';
import { readRunOptions } from '../../../nodes/PageAudience/run/parameters.ts';
import { requestLimits } from '../../groups.mts';

test.each([
	['name', 'Name'],
	['formSubmissionId', 'Form Submission ID'],
	['actionUrlOverride', 'Action URL Override'],
	['idleUtmUrlId', 'Idle UTM URL ID'],
	['identity', 'Identity'],
])('the label of %s is %s', (name, label) => {
	expect(toTitle(name)).toBe(label);
});

describe('the options of a run', () => {
	const ofList = completeProperties({ properties: [], paging: 'cursor' }).slice(-1);
	const read = (options: unknown) =>
		readRunOptions(ofList, { get: () => options, zone: 'UTC', isTool: false });

	test('that are not set, or left blank, have their defaults', () => {
		for (const options of [{}, { requests: {} }, { requests: { value: {} } }])
			expect(read(options)).toEqual(usualOptions);
		const limits = { concurrency: '', maxRetries: 0, pageSize: 7 };
		expect(read(requestLimits(limits))).toEqual({
			...usualOptions,
			maxRetries: 0,
			pageSize: 7,
		});
	});

	test('that are invalid say so', () => {
		expect(() => read(requestLimits({ maxRetries: 'many' }))).toThrow(
			'Options > Request Limits > Max Retries must be a number, but is "many"',
		);
	});
});
