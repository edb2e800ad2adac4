/**
 * What to do about messages that cannot say it themselves, because they are short, or lines in a log. Each is found by some
 * words of the message.
 */
export const advice: Record<string, string> = {
	// Requests
	'A conflicting record already exists (409)':
		'Look in the service for a record with the same domain, path or other unique value.',
	'The service redirected the request': 'Enter the address that it redirects to as the Base URL.',
	'The service asks for a pause of': 'Run the workflow again after the pause.',
	'The service has accepted no request for': 'Another tool may use up the rate limit. Retry later.',
	'Not sent, because an earlier request of this run got this response':
		'Correct the cause once. Then retry the items.',
	'cannot be used as an ID': 'Check the expression that sets the ID.',

	// Executions
	'Not resent: an earlier attempt got no response':
		'Look for the record in the service. If it is missing, choose **Retry** in the Executions tab.',
	'items were written':
		'Correct the cause, save, and choose **Retry with currently saved workflow**. Written items are not sent again.',
	'n8n failed to look up or remember some records':
		"Nothing, if it happens once. Otherwise check n8n's database.",
	'The list has': 'To get all, turn on **Return All**.',
	'The list ended after': 'Run it again if you need an exact number.',

	// Webhook trigger
	'This event was not chosen': 'Choose it under **Trigger On** if you want it.',
	'This page was not chosen': 'Choose it under **Options > Pages** if you want it.',
	'This is a duplicate': 'Nothing. The first delivery started the workflow.',
	'This is a check': 'Nothing. Webhook Subscription > Check asked whether deliveries arrive.',
	'which the trigger does not output':
		'Nothing, if the workflow needs only the fields of the form.',
	'it carried no token':
		'If your service sent it, something in front of n8n removes the part of the URL behind the `?`. Let it through.',
	'its token is not that of the registered URL':
		'If your service sent it, publish the workflow again. Otherwise it was a stranger.',
	'left unchanged, because it now delivers to':
		'Nothing. Someone has changed the URL in the service.',
	'could not be restored': 'Publish and unpublish the workflow once more.',
	'its original settings are unknown':
		'Enter the earlier URL in the service, and make the subscription active.',

	// Polling trigger
	'The API key has changed':
		'If you did not mean to read other data, correct the key in the credential.',
	'The list takes longer to read than a poll may take':
		'For sessions, set **Options > Look Back** to fewer hours.',
};
