/**
 * What to do about messages that cannot say it themselves, because they are short, or lines in a log. Each is found by some
 * words of the message.
 */
export const advice: Record<string, string> = {
	// Requests
	'A conflicting record already exists (409)':
		'Look in the service for a record with the same domain, path or other unique value.',
	'The service redirected the request': 'Enter the address that it redirects to as the Base URL.',
	'The next attempt would be in':
		'Run the workflow again after the pause. Another tool may use up the rate limit.',
	'Not sent, because an earlier request of this run got this response':
		'Correct the cause once. Then retry the items.',
	'The service cannot be reached':
		'Look up the `code` in `details` under [The credential test fails](troubleshooting.md#the-credential-test-fails).',
	'cannot be used as an ID': 'Check the expression that sets the ID.',
	'is shared by items with different content':
		'Build the key from a value that differs for each item, such as the ID of the event.',

	// Executions
	'items were written':
		'Correct the cause, save, and choose **Retry with currently saved workflow**. Written items are not resent.',
	'n8n failed to look up or remember some records':
		"Nothing, if it happens once. Otherwise check n8n's database.",
	'contains the expression …, but the field is set to Fixed':
		'n8n evaluates `{{ }}` only in a field that is set to **Expression**.',
	'for the rate limit':
		'Nothing. To leave requests for other tools, set **Options > Requests per Second**.',
	'A dry run does not look up': 'Nothing. The real run skips what was sent before.',
	'The list has': 'To get all, turn on **Return All**.',

	// Webhook trigger
	'which is another webhook of this n8n':
		'Unpublish the other workflow, or choose another subscription.',
	"which is this trigger's URL on another n8n":
		'Unpublish the workflow in the other n8n. If there is none, turn on **Options > Take Over**.',
	'looks like an address that the service cannot reach':
		'If no events arrive, set `WEBHOOK_URL` to the public address of n8n.',
	'The trigger could not restore the subscription':
		'Enter this URL in the service, or publish the workflow again.',
	'It now delivers to':
		'Someone has changed the subscription. Check in the service whether that was intended.',
	'not found (…), so nothing was restored':
		'Nothing, if you have deleted the subscription. Otherwise check the credential.',
	'its list of events was null': 'Choose the events in the service if you want fewer.',
	'is not published any more':
		'Enter the URL that you want in the service, and make the subscription active.',
	'a delivery had files': 'Nothing. The trigger outputs the fields of a form, without its files.',
	'The delivery cannot be accepted at the moment': 'Nothing. The service should resend it.',
	'This is a check': 'Nothing. **Webhook Subscription > Check** sent it.',
	'This event was not chosen': 'Choose it under **Trigger On** if you want it.',
	'This page was not chosen': 'Choose it under **Options > Pages** if you want it.',
	'This is a duplicate': 'Nothing. The first delivery started the workflow.',
	'it had no token':
		'If your service sent it, something in front of n8n removes the query of the URL (everything after the `?`). Let it through.',
	'its token is not that of the registered URL':
		'If your service sent it, publish the workflow again. Otherwise, a stranger sent it.',
	'left unchanged, because it now delivers to':
		'Nothing. Someone has changed the URL in the service.',
	'could not be restored': 'Publish and unpublish the workflow once more.',
	'its original settings are unknown':
		'Enter the earlier URL in the service, and make the subscription active.',

	// Polling trigger
	'is in the future': 'Enter an earlier **Start Date**.',
	'The new API key reads other data':
		'If you did not mean to read other data, correct the key in the credential.',

	// Fields and records
	'is a placeholder': 'Leave the field empty for such items.',
};
