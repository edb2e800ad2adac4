import {
	completeOptions,
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
