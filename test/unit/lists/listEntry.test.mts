import { eventKinds } from '../../../nodes/parameters/fields.ts';
import {
	distinguishEntries,
	matches,
	toAccount,
	toAudience,
	toPerson,
	toSession,
	toSubscription,
} from '../../../nodes/lists/listEntry.ts';

const kinds = eventKinds.map(({ value }) => value);
const subscriptionId = 'subscription_0123456789abcdefghijuvwxyz';

describe('a subscription in a list', () => {
	test.each([
		[
			{ url: 'https://crm.example/hooks/in?key=s3cret', events: ['form.submitted'], active: true },
			'crm.example/hooks/in (Form Submitted, …uvwxyz)',
		],
		[
			{ url: 'https://crm.example/hooks/sales', events: ['form.submitted', 'form.enriched'] },
			'crm.example/hooks/sales (Form Submitted +1, …uvwxyz)',
		],
		[
			{
				url: 'https://crm.example/hooks/sales',
				events: ['form.new', 'page.version.created', 'page.version.processed', 'form.enriched'],
			},
			'crm.example/hooks/sales (form.new +3, …uvwxyz)',
		],
		[
			{ url: 'https://u:p@hooks.example:8443/T00000001/XXXXXXXXXXXX', events: [], active: false },
			'hooks.example:8443/T000…/XXXX… (no events, …uvwxyz)',
		],
		[
			{ url: 'https://n8n.example/webhook/3f2a1b0c/webhook?token=1', events: null, active: true },
			'This n8n (all events, …uvwxyz)',
		],
		[{ url: 'https://n8n.example/webhook', events: kinds }, 'This n8n (all events, …uvwxyz)'],
		[
			{ url: 'https://crm.example/', events: ['form.submitted', 'form.submitted'] },
			'crm.example (Form Submitted, …uvwxyz)',
		],
		[{ url: '', events: undefined }, 'no usable URL (no events, …uvwxyz)'],
		[{ url: 5, events: 'x' }, 'no usable URL (no events, …uvwxyz)'],
	])('%j is called %s', (record, name) => {
		expect(toSubscription({ subscriptionId, ...record }, 'https://n8n.example')).toEqual({
			name,
			value: subscriptionId,
		});
	});

	test.each([undefined, null, '', 'not a URL'])(
		'without an address is not of this n8n: %j',
		(url) => {
			const { name } = toSubscription({ subscriptionId, url, events: [] }, undefined);
			expect(name).not.toContain('This n8n');
		},
	);

	test('keeps its name when it is paused', () => {
		const record = { subscriptionId, url: 'https://crm.example/', events: [] };
		expect(toSubscription({ ...record, active: true }, undefined)).toEqual(
			toSubscription({ ...record, active: false }, undefined),
		);
	});
});

test.each([
	['2026-03-14T06:13:00', '2026-03-14 07:13 (ada@example.com)'],
	['2026-03-14 06:13:00+02', '2026-03-14 05:13 (ada@example.com)'],
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

test('entries of one name get the end of their ID', () => {
	const entries = ['audience_first', 'audience_second', 'audience_third'].map((value, i) => ({
		name: i < 2 ? 'Buyers' : 'Partners',
		value,
	}));
	expect(distinguishEntries(entries).map(({ name }) => name)).toEqual([
		'Buyers (…_first)',
		'Buyers (…second)',
		'Partners',
	]);
});

test('the search finds the name and the ID', () => {
	const entry = toAudience({ audienceId: 'a1', effectiveName: 'Demo for logistics teams, EMEA' });
	expect(matches('DEMO for log', entry)).toBe(true);
	expect(matches('A1', entry)).toBe(true);
	expect(matches('retail', entry)).toBe(false);
	// One ends with it where the other one begins.
	expect(matches('EMEAa1', entry)).toBe(false);
});
