import type { IDataObject } from 'n8n-workflow';
import { eventKinds } from '../../../nodes/parameters/fields.ts';
import {
	matches,
	toAccount,
	toAudience,
	toPerson,
	toSession,
	toSubscription,
} from '../../../nodes/lists/listEntry.ts';

const subscriptionId = 'subscription_0123456789abcdefghijuvwxyz';

const all = eventKinds.map(({ value }) => value);
const secret = 'u:p@hooks.example:8443/T00000001/XXXXXXXXXXXX';

test.each<[url: string, events: unknown, name: string]>([
	[
		'crm.example/in?key=s3cret',
		['form.submitted', 'form.submitted'],
		'crm.example/in (Form Submitted',
	],
	['crm.example', ['form.submitted', 'form.enriched'], 'crm.example (Form Submitted +1'],
	['crm.example', ['form.new', 'page.version.created', 'page.x'], 'crm.example (form.new +2'],
	[secret, [], 'hooks.example:8443/T000…/XXXX… (no events'],
	['crm.example/', null, 'crm.example (all events'],
	['crm.example/', all, 'crm.example (all events'],
	['n8n.example/webhook/a/webhook?token=1', [], 'This n8n (no events'],
	['', undefined, 'no usable URL (no events'],
])(
	'a subscription to %s with %j is called %s, whether it is paused or not',
	(url, events, name) => {
		for (const active of [true, false]) {
			const record = {
				subscriptionId,
				url: url && `https://${url}`,
				events,
				active,
			} as IDataObject;
			const entry = { name: `${name}, …uvwxyz)`, value: subscriptionId };
			expect(toSubscription(record, 'https://n8n.example')).toEqual(entry);
		}
	},
);

test.each([
	['2026-03-14T06:13:00', '2026-03-14 07:13 (ada@example.com)'],
	['soon', 'soon (ada@example.com)'],
])("a session is its time in the workflow's zone: %s", (sessionStartedAt, name) => {
	const session = { audienceSessionId: 's1', formSubmissionEmail: 'ada@example.com' };
	expect(toSession({ ...session, sessionStartedAt }, 'Europe/Berlin').name).toBe(name);
});

test('an account is its name with its domain, a person the name with what tells people apart', () => {
	const accounts = [
		{ accountId: 'a1', name: 'Northwind', domain: 'northwind.example' },
		{ accountId: 'a4', name: null, domain: 'nameless.example' },
	];
	expect(accounts.map((account) => toAccount(account).name)).toEqual([
		'Northwind (northwind.example)',
		'nameless.example',
	]);
	const person = { personId: 'p1', name: 'Ada', domain: 'one.example', phoneNumber: '+49 1' };
	expect(toPerson({ ...person, email: 'ada@one.example' }).name).toBe('Ada (ada@one.example)');
	expect(toPerson({ ...person, email: null }).name).toBe('Ada (one.example)');
	expect(toPerson({ personId: 'p1', name: 'Ada' }).name).toBe('Ada');
	expect(toPerson({ personId: 'p1', name: '' }).name).toBe('p1');
});

test('the search finds the name and the ID', () => {
	const entry = toAudience({ audienceId: 'a1', effectiveName: 'Demo for logistics teams, EMEA' });
	expect(matches('DEMO for log', entry)).toBe(true);
	expect(matches('A1', entry)).toBe(true);
	expect(matches('retail', entry)).toBe(false);
	// One ends with it where the other one begins.
	expect(matches('EMEAa1', entry)).toBe(false);
});
