import {
	distinguishEntries,
	matches,
	toAccount,
	toAudience,
	toPerson,
	toSession,
	toSubscription,
} from '../../../nodes/lists/listEntry.ts';

const subscriptionId = 'subscription_0123456789abcdefghijuvwxyz';

describe('a subscription in a list', () => {
	test.each([
		[
			{ url: 'https://crm.example/hooks/in?key=s3cret', events: ['form.submitted'], active: true },
			'crm.example/hooks/… (…uvwxyz, 1 event)',
		],
		[
			{ url: 'https://u:p@hooks.example:8443/T00000001/XXXXXXXXXXXX', events: [], active: false },
			'hooks.example:844… (…uvwxyz, 0 events)',
		],
		[
			{ url: 'https://n8n.example/webhook/3f2a1b0c/webhook?token=1', events: null, active: true },
			'This n8n (…uvwxyz, no list of events)',
		],
		[{ url: '', events: null }, 'no usable URL (…uvwxyz, no list of events)'],
		[{ url: 5, events: 'x' }, 'no usable URL (…uvwxyz, no list of events)'],
	])('%j is called %s', (record, name) => {
		expect(toSubscription({ subscriptionId, ...record }, 'https://n8n.example')).toEqual({
			name,
			value: subscriptionId,
		});
	});

	test('keeps its name when it is paused', () => {
		const record = { subscriptionId, url: 'https://crm.example/', events: [] };
		expect(toSubscription({ ...record, active: true }, undefined)).toEqual(
			toSubscription({ ...record, active: false }, undefined),
		);
	});
});

/** What the editor's field shows of a name. */
const width = 38;

describe('a long name is shortened so that what distinguishes it is seen', () => {
	const nameOf = (effectiveName: string, pageName = '') =>
		toAudience({ audienceId: 'a1', effectiveName }, pageName).name;

	test('in the middle', () => {
		const names = ['variant 226', 'variant 227'].map((variant) =>
			nameOf(`Product demo for logistics teams, ${variant}`),
		);
		expect(names).toEqual([
			'Product demo…istics teams, variant 226',
			'Product demo…istics teams, variant 227',
		]);
		for (const name of names) expect(name).toHaveLength(width);
		expect(nameOf('Buyers')).toBe('Buyers');
		expect(nameOf('🎯'.repeat(40))).toBe(`${'🎯'.repeat(12)}…${'🎯'.repeat(25)}`);
	});

	test('without the name of the chosen page in front', () => {
		const page = 'Pricing for teams';
		expect(nameOf(`${page}: Enterprise`, page)).toBe('Enterprise');
		expect(nameOf(`${page} – EMEA, large`, page)).toBe('EMEA, large');
		expect(nameOf(page, page)).toBe(page);
		expect(nameOf('Partners', page)).toBe('Partners');
	});

	test('with the start of its name and of its detail', () => {
		const domain = 'northwind-international.example';
		const account = { accountId: 'a1', name: 'Northwind Logistics International GmbH', domain };
		expect(toAccount(account).name).toBe('North…ional GmbH (northw…onal.example)');
		const email = 'nora.lindgren@fjordfreight.example';
		expect(toPerson({ personId: 'p1', name: 'Nora Lindgren', email }).name).toBe(
			'Nora Lindgren (nora.li…reight.example)',
		);
		const session = { audienceSessionId: 's1', formSubmissionEmail: email };
		expect(
			toSession({ ...session, sessionStartedAt: '2026-03-14T06:13:00Z' }, 'Europe/Berlin').name,
		).toBe('2026-03-14 07:13 (nora.l…ight.example)');
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
	});
});
