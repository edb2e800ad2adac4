import type { INodeProperties } from 'n8n-workflow';

/** A record counts as changed when one of these differs. */
const onlyFields = {
	displayName: 'Only These Fields',
	name: 'onlyFields',
	type: 'multiOptions',
	default: [],
	description:
		'The fields whose changes start the workflow. Adds changedFields to the output: the names of those that changed. Leave empty for all fields.',
} as const satisfies INodeProperties;

/** The documented fields of a session, of which some may count. */
export const onlySessionFields = {
	...onlyFields,
	displayOptions: { show: { '/event': ['changedSession'] } },
	options: [
		{ name: 'Analytics Session ID', value: 'analyticsSessionId' },
		{ name: 'Audience ID', value: 'audienceId' },
		{ name: 'Audience Session ID', value: 'audienceSessionId' },
		{ name: 'Computation Status', value: 'computationStatus' },
		{ name: 'Form Submission Email', value: 'formSubmissionEmail' },
		{ name: 'Form Submission ID', value: 'formSubmissionId' },
		{ name: 'Form Submission Identifier', value: 'formSubmissionIdentifier' },
		{ name: 'Form Submission Identifier Type', value: 'formSubmissionIdentifierType' },
		{ name: 'Form Submission Phone', value: 'formSubmissionPhone' },
		{ name: 'Has Conversion', value: 'hasConversion' },
		{ name: 'Has Form Submit', value: 'hasFormSubmit' },
		{ name: 'Is Bounce', value: 'isBounce' },
		{ name: 'Max Scroll Depth Percentage', value: 'maxScrollDepthPercentage' },
		{ name: 'Page ID', value: 'pageId' },
		{ name: 'Page Title', value: 'pageTitle' },
		{ name: 'Page URL', value: 'pageUrl' },
		{ name: 'Questions Asked Count', value: 'questionsAskedCount' },
		{ name: 'Session Ended At', value: 'sessionEndedAt' },
		{ name: 'Session Started At', value: 'sessionStartedAt' },
		{ name: 'Time Spent Seconds', value: 'timeSpentSeconds' },
		{ name: 'Total Clicks Count', value: 'totalClicksCount' },
		{ name: 'UTM Campaign', value: 'utmCampaign' },
		{ name: 'UTM Content', value: 'utmContent' },
		{ name: 'UTM Medium', value: 'utmMedium' },
		{ name: 'UTM Source', value: 'utmSource' },
		{ name: 'UTM Term', value: 'utmTerm' },
	],
} as const satisfies INodeProperties;

/** The same of a person. */
export const onlyPersonFields = {
	...onlyFields,
	displayOptions: { show: { '/event': ['changedPerson'] } },
	options: [
		{ name: 'Created At', value: 'createdAt' },
		{ name: 'Domain', value: 'domain' },
		{ name: 'Email', value: 'email' },
		{ name: 'LinkedIn Profile URL', value: 'linkedinProfileUrl' },
		{ name: 'Name', value: 'name' },
		{ name: 'Person ID', value: 'personId' },
		{ name: 'Phone Number', value: 'phoneNumber' },
		{ name: 'Slug', value: 'slug' },
		{ name: 'Tenant ID', value: 'tenantId' },
		{ name: 'Updated At', value: 'updatedAt' },
	],
} as const satisfies INodeProperties;
