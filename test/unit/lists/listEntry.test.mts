import fc from 'fast-check';
import { eventKinds } from '../../../nodes/parameters/eventKinds.ts';
import {
	distinguishEntries,
	matches,
	toAccounts,
	toAudience,
	toPerson,
	toSession,
	toSubscription,
} from '../../../nodes/lists/listEntry.ts';

/** What the editor's list shows of a name. */
const width = 54;
const kinds = eventKinds.map(({ value }) => value);
const subscriptionId = 'subscription_0123456789abcdefghijuvwxyz';

describe('a subscription in a list', () => {
	test.each([
		[
			{ url: 'https://crm.example/hooks/in?key=s3cret', events: ['form.submitted'], active: true },
			'crm.example/hooks/in (Form Submitted, …uvwxyz)',
		],
		[
			{
				url: 'https://hooks.example/in/from/the/pages/of/crm/sales',
				events: ['form.submitted', 'form.enriched'],
			},
			'hooks.ex…from/…/crm/sales (Form Submitted +1, …uvwxyz)',
		],
		[
			{
				url: 'https://crm.example/hooks/sales',
				events: ['form.enriched', 'page.version.created', 'page.version.processed', 'form.new'],
			},
			'crm.example/hooks/sales (Form Enriched +3, …uvwxyz)',
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
		[{ url: '', events: undefined }, 'no usable URL (no list of events, …uvwxyz)'],
		[{ url: 5, events: 'x' }, 'no usable URL (no list of events, …uvwxyz)'],
	])('%j is called %s', (record, name) => {
		expect(toSubscription({ subscriptionId, ...record }, 'https://n8n.example')).toEqual({
			name,
			value: subscriptionId,
		});
	});

	test('fits into the list, whatever the service sends', () => {
		fc.assert(
			fc.property(
				fc.webUrl(),
				fc.array(fc.oneof(fc.string(), fc.constantFrom(...kinds))),
				(url, events) => {
					const { name } = toSubscription({ subscriptionId, url, events }, undefined);
					expect([...name].length).toBeLessThanOrEqual(width);
					expect(name).toContain('…uvwxyz)');
				},
			),
		);
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

describe('a long name is shortened so that what distinguishes it is seen', () => {
	const nameOf = (effectiveName: string, pageName = '') =>
		toAudience({ audienceId: 'a1', effectiveName }, pageName).name;

	test('in the middle', () => {
		const page = 'Product demo for logistics teams in Northern Europe who saw it last year';
		const names = ['variant 226', 'variant 227'].map((variant) => nameOf(`${page}, ${variant}`));
		expect(names).toEqual([
			'Product demo for…pe who saw it last year, variant 226',
			'Product demo for…pe who saw it last year, variant 227',
		]);
		expect(nameOf('Buyers')).toBe('Buyers');
		expect(nameOf('🎯'.repeat(80))).toBe(`${'🎯'.repeat(17)}…${'🎯'.repeat(36)}`);
	});

	test('without the name of the chosen page in front', () => {
		const page = 'Pricing for teams';
		expect(nameOf(`${page}: Enterprise`, page)).toBe('Enterprise');
		expect(nameOf(`${page} – EMEA, large`, page)).toBe('EMEA, large');
		expect(nameOf(page, page)).toBe(page);
		expect(nameOf('Partners of all teams', page)).toBe('Partners of all teams');
	});

	test('with the start of its name and of its detail', () => {
		const email = 'nora.lindgren@customer-success.fjordfreight-international.example';
		const name = 'Nora Lindgren-Sommerfeldt of Fjord Freight';
		expect(toPerson({ personId: 'p1', name, email }).name).toBe(
			'Nora…rd Freight (nora.lindgr…ht-international.example)',
		);
		const session = { audienceSessionId: 's1', formSubmissionEmail: email };
		expect(
			toSession({ ...session, sessionStartedAt: '2026-03-14T06:13:00Z' }, 'Europe/Berlin').name,
		).toBe('2026-03-14 07:13 (nora.lindgr…t-international.example)');
	});

	test.each([
		['2026-03-14T06:13:00', '2026-03-14 07:13'],
		['2026-03-14 06:13:00+02', '2026-03-14 05:13'],
		['soon', 'soon'],
	])("with the time of a session in the workflow's zone: %s", (sessionStartedAt, shown) => {
		const session = { audienceSessionId: 's1', sessionStartedAt };
		expect(toSession(session, 'Europe/Berlin').name).toBe(shown);
	});

	test('and with the end of its ID where another has the same name', () => {
		const name = 'x'.repeat(width);
		const entries = distinguishEntries([
			{ name, value: 'audience_first' },
			{ name, value: 'audience_second' },
		]);
		expect(entries.map(({ name: shown }) => shown.slice(-10))).toEqual([
			' (…_first)',
			' (…second)',
		]);
		for (const entry of entries) expect(entry.name).toHaveLength(width);
	});

	test('and the search finds all of it', () => {
		const record = { audienceId: 'a1', effectiveName: 'Product demo for logistics teams, EMEA' };
		const entry = toAudience(record, 'Product demo');
		expect(matches('DEMO for log', entry, record.effectiveName)).toBe(true);
		expect(matches('a1', entry)).toBe(true);
		expect(matches('retail', entry, record.effectiveName, undefined)).toBe(false);
		// One field ends with it where the next one begins.
		expect(matches(`${entry.name.slice(-2)}${String(entry.value).slice(0, 2)}`, entry)).toBe(false);
	});
});

test('an account is its name, and its domain where another has that name or it has none', () => {
	const accounts = [
		{ accountId: 'a1', name: 'Northwind', domain: 'northwind.example' },
		{ accountId: 'a2', name: 'Fjord Freight', domain: 'fjord.example' },
		{ accountId: 'a3', name: 'Northwind', domain: 'northwind.test' },
		{ accountId: 'a4', name: null, domain: 'nameless.example' },
		{ accountId: 'a5', name: null, domain: 'another.example' },
	];
	expect(toAccounts(accounts).map(({ name }) => name)).toEqual([
		'Northwind (northwind.example)',
		'Fjord Freight',
		'Northwind (northwind.test)',
		'nameless.example',
		'another.example',
	]);
});
