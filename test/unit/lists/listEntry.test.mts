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

const [submitted, enriched] = ['form.submitted', 'form.enriched'];

test.each<[url: string, events: unknown, name: string]>([
	['crm.example/in?key=s3cret', [submitted, submitted], 'crm.example/in (Form Submitted'],
	['crm.example', [submitted, enriched], 'crm.example (Form Submitted +1'],
	['crm.example', ['form.new', 'page.version.created', 'page.x'], 'crm.example (form.new +2'],
	[secret, [], 'hooks.example:8443/T000…/XXXX… (no events'],
	['crm.example/', null, 'crm.example (all events'],
	['crm.example/', all, 'crm.example (all events'],
	['n8n.example/webhook/a/webhook?token=1', [], 'This n8n (no events'],
	['', undefined, 'no usable URL (no events'],
])('a subscription to %s with %j is called %s, also one that is paused', (host, events, name) => {
	const url = host && `https://${host}`;
	const entry = { name: `${name}, …uvwxyz)`, value: subscriptionId };
	for (const active of [true, false]) {
		const record = { subscriptionId, url, events, active } as IDataObject;
		expect(toSubscription(record, 'https://n8n.example')).toEqual(entry);
	}
});

test.each([
	['2026-03-14T06:13:00', '2026-03-14 07:13 (ada@example.com)'],
	['soon', 'soon (ada@example.com)'],
])("a session is its time in the workflow's zone: %s", (sessionStartedAt, name) => {
	const session = { audienceSessionId: 's1', formSubmissionEmail: 'ada@example.com' };
	expect(toSession({ ...session, sessionStartedAt }, 'Europe/Berlin').name).toBe(name);
});

const ada = { personId: 'p1', name: 'Ada', domain: 'one.example', phoneNumber: '+49 1' };

test.each([
	[
		toAccount({ accountId: 'a1', name: 'Northwind', domain: 'northwind.example' }),
		'Northwind (northwind.example)',
	],
	[toAccount({ accountId: 'a4', name: null, domain: 'nameless.example' }), 'nameless.example'],
	[toPerson({ ...ada, email: 'ada@one.example' }), 'Ada (ada@one.example)'],
	[toPerson({ ...ada, email: null }), 'Ada (one.example)'],
	[toPerson({ personId: 'p1', name: 'Ada' }), 'Ada'],
	[toPerson({ personId: 'p1', name: '' }), 'p1'],
])('an account has its domain beside it, a person what tells people apart: %j', (entry, name) => {
	expect(entry.name).toBe(name);
});

test.each([
	['DEMO for log', true],
	['A1', true],
	['retail', false],
	// One ends with it where the other one begins.
	['EMEAa1', false],
])('the search finds the name and the ID: %s', (search, isFound) => {
	const entry = toAudience({ audienceId: 'a1', effectiveName: 'Demo for logistics teams, EMEA' });
	expect(matches(search, entry)).toBe(isFound);
});
