import type { Page } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';
import { ada, readPage, openReceiver, sendForm, sendFormOf } from './visiting.mts';

const sandbox = openSandbox();
const receiver = openReceiver(sandbox);
let page: Page;
let path: string;
beforeEach(() => {
	page = sandbox.store.pages.all()[1];
	path = `/demo/${page.pageId}`;
});

const sendAndFollow = (fields: Record<string, string>) => sendFormOf(sandbox, page, fields);

test('delivers a form once with everything the visitor typed', async () => {
	const { text, session } = await sendAndFollow(ada);
	expect(receiver.bodies).toEqual([
		{
			id: expect.stringMatching(/^event_/),
			event: 'form.submitted',
			tenantId: page.tenantId,
			occurredAt: expect.any(String),
			data: {
				formSubmissionId: session.formSubmissionId,
				audienceSessionId: session.audienceSessionId,
				audienceId: session.audienceId,
				pageId: page.pageId,
				pageTitle: page.title,
				pageUrl: session.pageUrl,
				form: { ...ada, message: 'Hello\nthere' },
			},
		},
	]);
	expect(text).toContain('1 of 1 delivery of form.submitted succeeded.');
	expect(text).toContain('Status 200');
	expect(text).not.toContain('verysecret');
	await readPage(sandbox, `${path}/thanks/${session.audienceSessionId}`);
	expect(receiver.bodies).toHaveLength(1);
});

test('leaves out empty and blank fields', async () => {
	await sendAndFollow({ name: ' Ada ', email: 'a@b.co', company: '  ', unknown: 'x' });
	expect(receiver.bodies).toMatchObject([{ data: { form: { name: 'Ada', email: 'a@b.co' } } }]);
	expect(Object.keys(sandbox.deliveries[0].payload.data as object)).not.toContain('unknown');
});

test('adds a session to the page, with an interaction for each field', async () => {
	const openedAtMs = Date.now() - 90_000;
	const visit = { opened: String(openedAtMs), utm_source: 'newsletter', utm_campaign: 'spring' };
	const { session } = await sendAndFollow({ ...ada, ...visit });
	const query = { startDate: new Date(openedAtMs).toISOString() };
	const list = await call(sandbox, 'GET', `/v0/pages/${page.pageId}/audience_sessions`, { query });
	expect([list.status, list.data.items]).toEqual([200, [session]]);
	expect(session).toMatchObject({
		formSubmissionEmail: ada.email,
		hasFormSubmit: true,
		hasConversion: true,
		timeSpentSeconds: expect.any(Number),
		utmSource: 'newsletter',
		utmCampaign: 'spring',
		utmTerm: '',
	});
	expect(Math.abs(session.timeSpentSeconds - 90)).toBeLessThan(5);
	const { data } = await call(
		sandbox,
		'GET',
		`/v0/audience_sessions/${session.audienceSessionId}/interactions`,
	);
	const typed = data.interactions.map(({ label, responseText }: Record<string, string>) => [
		label,
		responseText,
	]);
	expect([data.found, typed]).toEqual([
		true,
		[
			['Name', ada.name],
			['Work email', ada.email],
			['Company', ada.company],
			['Message', 'Hello\nthere'],
		],
	]);
});

test('replaces an impossible time of arrival by the current time', async () => {
	for (const opened of ['', 'soon', '-1', '99999999999999']) {
		expect((await sendAndFollow({ ...ada, opened })).session.timeSpentSeconds).toBe(0);
	}
});

describe('after the form', () => {
	test.each([
		['form.enriched', { company: { name: expect.any(String), domain: expect.any(String) } }],
		['form.enrichment_failed', { reason: expect.any(String) }],
	])('a button sends %s for the same submission', async (kind, added) => {
		const { text, session } = await sendAndFollow(ada);
		const thanks = `${path}/thanks/${session.audienceSessionId}`;
		expect(text).toContain(`action="${thanks}"`);
		expect(text).toContain(`name="kind" value="${kind}"`);
		Object.assign(sandbox.store.subscriptions.all()[0], { events: [kind] });
		const { status, headers } = await sendForm(sandbox, thanks, { kind });
		expect([status, headers.location]).toEqual([303, `${thanks}?sent=${kind}`]);
		const [{ data }, next] = receiver.bodies as { data: object }[];
		expect(next).toMatchObject({ event: kind, data });
		expect(next.data).toEqual({ ...data, ...added });
		const shown = (await readPage(sandbox, headers.location)).text;
		expect(shown).toContain('1 of 1 delivery of form.submitted succeeded.');
		expect(shown).toContain(`1 of 1 delivery of ${kind} succeeded.`);
		Object.assign(sandbox.store.subscriptions.all()[0], { active: false });
		const other = (await sendAndFollow(ada)).session.audienceSessionId;
		await sendForm(sandbox, `${path}/thanks/${other}`, { kind });
		expect((await readPage(sandbox, `${path}/thanks/${other}?sent=${kind}`)).text).toContain(
			`No active webhook subscription wants ${kind}, so nothing was sent.`,
		);
	});

	test.each(['form.submitted', 'page.version.created', 'toString', ''])(
		'%j is not sent',
		async (kind) => {
			const { session } = await sendAndFollow(ada);
			const thanks = `${path}/thanks/${session.audienceSessionId}`;
			expect((await sendForm(sandbox, thanks, { kind })).status).toBe(400);
			expect((await readPage(sandbox, `${thanks}?sent=${kind}`)).text).not.toContain(
				'so nothing was sent',
			);
			expect(receiver.bodies).toHaveLength(1);
		},
	);
});

test('shows deliveries that failed or were not sent', async () => {
	receiver.status = 500;
	sandbox.store.subscriptions.all()[1].active = true;
	const { text } = await sendAndFollow(ada);
	expect(text).toContain('0 of 2 deliveries of form.submitted succeeded.');
	expect(text).toContain('Status 500');
	expect(text).toContain('Not sent: the host is reserved for examples');
	for (const subscription of sandbox.store.subscriptions) subscription.active = false;
	expect((await sendAndFollow(ada)).text).toContain('so nothing was sent');
});
