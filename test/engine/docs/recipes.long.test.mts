import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from '../engine.mts';
import { PolledWorkflow } from '../polling/polledWorkflow.mts';
import { Scene } from '../trigger/scene.mts';
import { readLine } from '../../unit/docs/pages.mts';
import { openStage } from '../stage.mts';

/** The workflows of the pages for builders, built as the pages describe them. */
const names = [
	'get-started',
	'triggers',
	'forms',
	'crm-sync',
	'export',
	'change-a-page',
	'troubleshooting',
];
const pages = names.map((name) => readLine(`${name}.md`)).join(' ');

/** An expression of the pages, as a workflow stores it. */
function expression(text: string): string {
	if (!pages.includes(text)) throw new Error(`Not on a page: ${text}`);
	return `=${text}`;
}

const stage = openStage();

async function run(parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) {
	const { output, errors, error } = await stage.run(parameters, items, more);
	if (error) throw error;
	return { output: output.map(({ json }) => json), errors: errors.map(({ json }) => json) };
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const pageId = byId(expression('{{ $json.pageId }}'));

async function createPages() {
	const action = (buttonTitle: string) => ({
		buttonTitle,
		purpose: 'p',
		actionType: 'link',
		url: '',
	});
	const create = {
		resource: 'page',
		operation: 'create',
		name: '={{ $json.name }}',
		brandId: 'brand_1',
		pageContext: 'c',
		actions: { action: [action('Read on'), action('Book a demo')] },
		simplify: false,
	};
	return (await run(create, [{ name: 'Spring' }, { name: 'Summer' }])).output;
}

const titled = ({ actions }: IDataObject, title: string) =>
	(actions as IDataObject[]).find(({ buttonTitle }) => buttonTitle === title);

test('an event without an ID has the same key when it arrives again, and logs no one unknown', async () => {
	const log = {
		resource: 'personLog',
		operation: 'create',
		source: 'website-form',
		type: 'form-submitted',
		person: { email: '={{ $json.email }}', name: '={{ $json.name }}' },
		payloadMode: 'inputItem',
		idempotency: 'content',
	};
	const before = stage.sandbox.store.personLogs.all().length;
	const [delivery, other] = [
		{ email: 'new@form.example', name: 'Ann' },
		{ email: 'b@form.example' },
	];
	const { output } = await run(log, [delivery, other, delivery]);
	expect(output.map(({ createdPerson }) => createdPerson).slice(0, 2)).toEqual([true, true]);
	expect(output[2].idempotencyKey).toBe(output[0].idempotencyKey);
	expect(stage.sandbox.store.personLogs.all()).toHaveLength(before + 2);
	const without = await run(log, [{ email: ' ' }, other], { onError: 'continueErrorOutput' });
	expect([without.output.length, without.errors.length]).toEqual([1, 1]);
});

/** The log entry of the first workflow. */
const formLog = {
	resource: 'personLog',
	operation: 'create',
	source: 'website-form',
	type: 'form-submitted',
	person: {
		email: '={{ $json.formSubmissionEmail }}',
		phoneNumber: '={{ $json.formSubmissionPhone }}',
	},
	payloadMode: 'inputItem',
	idempotency: 'custom',
	idempotencyKey: expression('{{ $json.formSubmissionId || $json.audienceSessionId }}'),
};

test('in the first workflow, each form submission adds one log entry', async () => {
	const { sessions, personLogs, pages: all } = stage.sandbox.store;
	const page = all.all()[0];
	const workflow = new PolledWorkflow({
		credential: stage.credential,
		parameters: { event: 'formSubmission', pageId: byId(page.pageId) },
	});
	await workflow.activate();
	const visitors = [
		{ formSubmissionEmail: 'ann@form.example', formSubmissionPhone: '' },
		{ formSubmissionEmail: '', formSubmissionPhone: '+49 30 123' },
	];
	for (const [number, visitor] of visitors.entries()) {
		sessions.add({
			...sessions.of(page.pageId)[0],
			...visitor,
			audienceSessionId: `audsession_new${number}`,
			formSubmissionId: `form_new${number}`,
			sessionStartedAt: new Date(Date.now() - number * 60_000).toISOString(),
		});
	}
	await workflow.tick();
	for (const formSubmissionId of ['form_again', 'form_third']) {
		Object.assign(sessions.get('audsession_new0')!, { formSubmissionId });
		await workflow.tick();
	}
	sessions.add({
		...sessions.of(page.pageId)[0],
		...visitors[0],
		audienceSessionId: 'audsession_without',
		formSubmissionId: '',
		hasFormSubmit: true,
		sessionStartedAt: new Date().toISOString(),
	});
	await workflow.tick();
	const before = personLogs.all().length;
	const { output } = await run(formLog, workflow.items);
	expect(output.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
		'form_new1',
		'form_new0',
		'form_again',
		'form_third',
		'audsession_without',
	]);
	expect(personLogs.all()).toHaveLength(before + 5);
});

test('earlier submissions get the same keys as those of the first workflow, after a dry run', async () => {
	const { sessions, personLogs, pages: all } = stage.sandbox.store;
	const [page] = all.all().filter(({ pageId: id }) => sessions.of(id).length > 60);
	const list = { resource: 'audienceSession', operation: 'getAll', returnAll: true };
	const filters = { startDate: '2020-01-01' };
	const { output: found } = await run({ ...list, pageId: byId(page.pageId), filters }, [{}]);
	expect(pages).toContain('`{{ $json.formSubmissionId }}` **is not empty**');
	const submissions = found.filter(({ formSubmissionId }) => Boolean(formSubmissionId));
	expect(submissions.length).toBeGreaterThan(1);
	const before = personLogs.all().length;
	const onError = 'continueErrorOutput';
	const dry = await run({ ...formLog, options: { dryRun: true } }, submissions, { onError });
	expect(personLogs.all()).toHaveLength(before);
	const { output } = await run(formLog, submissions, { onError });
	expect(output.length).toBe(dry.output.length);
	expect(output.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
		dry.output.map(({ request }) => (request as { body: IDataObject }).body.idempotencyKey),
	);
	expect(personLogs.all()).toHaveLength(before + output.length);
});

test('a nightly sync sends new and changed contacts only, and everything with Start Over', async () => {
	const sync = {
		resource: 'personLog',
		operation: 'create',
		source: 'hubspot',
		type: 'contact-synced',
		person: { email: '={{ $json.email }}', phoneNumber: '={{ $json.phone }}' },
		payloadFields: {
			assignments: [{ id: '1', name: 'stage', value: '={{ $json.stage }}', type: 'string' }],
		},
		write: 'changed',
		recordId: '={{ $json.id }}',
	};
	const contacts = [
		{ id: 'recipe-1', email: 'a@crm.example', stage: 'lead' },
		{ id: 'recipe-2', phone: '+49 30 1234567', stage: 'lead' },
		{ id: 'recipe-3', email: '', phone: ' ', stage: 'lead' },
	];
	const onError = 'continueErrorOutput';
	const skipped = (output: IDataObject[]) => output.map(({ alreadyWritten }) => alreadyWritten);
	const dryRun = { ...sync, options: { dryRun: true } };
	expect((await run(dryRun, contacts, { onError })).output).toHaveLength(2);
	const first = await run(sync, contacts, { onError });
	expect(skipped(first.output)).toEqual([false, false]);
	expect(first.errors).toMatchObject([{ stage: 'lead', details: { itemIndex: 2 } }]);
	expect(skipped((await run(sync, contacts, { onError })).output)).toEqual([true, true]);
	const changed = contacts.map((contact, i) => (i === 1 ? { ...contact, stage: 'won' } : contact));
	expect(skipped((await run(sync, changed, { onError })).output)).toEqual([true, false]);
	const again = { ...sync, options: { startOver: 'corrected mapping' } };
	expect(skipped((await run(again, changed, { onError })).output)).toEqual([false, false]);
});

test('an export of the last month covers the whole month of the workflow', async () => {
	const [{ pageId: id }] = stage.sandbox.store.pages.all();
	const list = { resource: 'audienceSession', operation: 'getAll', pageId: byId(id), limit: 1 };
	const startDate = expression("{{ $now.minus({ months: 1 }).startOf('month') }}");
	const endDate = expression("{{ $now.minus({ months: 1 }).endOf('month') }}");
	const timezone = 'Asia/Tokyo';
	await run({ ...list, filters: { startDate, endDate } }, [{}], { timezone });
	const now = DateTime.now().setZone(timezone);
	const month = now.minus({ months: 1 });
	const { query } = stage.sandbox.requests[0];
	expect(DateTime.fromISO(String(query.startDate))).toEqual(
		DateTime.fromISO(month.startOf('month').toISO() ?? ''),
	);
	expect(DateTime.fromISO(String(query.endDate))).toEqual(
		DateTime.fromISO(month.endOf('month').toISO() ?? ''),
	);
	await run({ ...list, filters: { startDate: expression("{{ $now.startOf('month') }}") } }, [{}], {
		timezone,
	});
	expect(DateTime.fromISO(String(stage.sandbox.requests[1].query.startDate)).toMillis()).toBe(
		now.startOf('month').toMillis(),
	);
});

test('a weekly export with overlapping windows misses no session', async () => {
	const [{ pageId: id }] = stage.sandbox.store.pages.all();
	const all = stage.sandbox.store.sessions.of(id);
	const starts = all.map(({ sessionStartedAt }) => Date.parse(sessionStartedAt));
	const day = 24 * 60 * 60_000;
	const list = {
		resource: 'audienceSession',
		operation: 'getAll',
		pageId: byId(id),
		returnAll: true,
		filters: { startDate: '={{ $json.start }}', endDate: '={{ $json.end }}' },
	};
	const seen: unknown[] = [];
	for (let at = Math.min(...starts); at < Math.max(...starts) + 7 * day; at += 7 * day) {
		const { output } = await run(list, [{ start: at - 9 * day, end: at }]);
		// As listed by a service whose dates are exclusive.
		const inside = output.filter(({ sessionStartedAt }) => {
			const start = Date.parse(String(sessionStartedAt));
			return start > at - 9 * day && start < at;
		});
		seen.push(...inside.map(({ audienceSessionId }) => audienceSessionId));
	}
	expect(new Set(seen)).toEqual(new Set(all.map(({ audienceSessionId }) => audienceSessionId)));
	expect(seen.length).toBeGreaterThan(all.length);
});

test('a weekly export starts at midnight nine days ago', async () => {
	const [{ pageId: id }] = stage.sandbox.store.pages.all();
	const startDate = expression("{{ $now.minus({ days: 9 }).startOf('day') }}");
	const list = { resource: 'audienceSession', operation: 'getAll', pageId: byId(id), limit: 1 };
	await run({ ...list, filters: { startDate } }, [{}], { timezone: 'Asia/Tokyo' });
	const start = String(stage.sandbox.requests[0].query.startDate);
	expect(start).toMatch(/T00:00:00\+09:00$/);
	const days = (Date.now() - Date.parse(start)) / (24 * 60 * 60_000);
	expect(days).toBeGreaterThan(8.9);
	expect(days).toBeLessThan(10.1);
	expect(stage.sandbox.requests[0].query.endDate).toBeUndefined();
});

test('sets the header action of a new page', async () => {
	const made = await createPages();
	const headerActionId = expression(
		"{{ $json.actions.find((action) => action.buttonTitle === 'Book a demo').actionId }}",
	);
	const update = {
		resource: 'page',
		operation: 'update',
		pageId,
		updateFields: { headerActionId },
	};
	const { output } = await run(update, made);
	expect(output.map((json) => json.headerActionId)).toEqual(
		made.map((each) => titled(each, 'Book a demo')?.actionId),
	);
});

describe('changing a page', () => {
	const update = { resource: 'page', operation: 'update', pageId, simplify: false };

	/** The pages as their first update returns them. */
	async function readPages(): Promise<IDataObject[]> {
		const made = await createPages();
		const found = made.map(({ pageId: id, name }) => ({ pageId: id, name }));
		const name = expression('{{ $json.name }}');
		const whole = (await run({ ...update, updateFields: { name } }, found)).output;
		expect(whole.map(({ updatedAt: _, ...each }) => each)).toEqual(
			made.map(({ updatedAt: _, ...each }) => each),
		);
		return whole;
	}

	const change = (text: string) => ({
		...update,
		specifyBody: 'json',
		jsonBody: expression(text),
	});

	test('shows one button with its new URL in a dry run, and writes it', async () => {
		const whole = await readPages();
		const changeButton = change(
			"{{ { actions: $json.actions.map((action) => action.buttonTitle === 'Book a demo' ? { ...action, url: 'https://example.com/new' } : action) } }}",
		);
		const dry = (await run({ ...changeButton, options: { dryRun: true } }, whole)).output;
		const changed = (await run(changeButton, whole)).output;
		for (const [i, each] of changed.entries()) {
			expect(titled(each, 'Read on')).toEqual(titled(whole[i], 'Read on'));
			const book = titled(whole[i], 'Book a demo');
			expect(titled(each, 'Book a demo')).toEqual({ ...book, url: 'https://example.com/new' });
			const { body } = dry[i].request as { body: { actions: IDataObject[] } };
			expect(body.actions.map(({ url }) => url)).toEqual(
				(each.actions as IDataObject[]).map(({ url }) => url),
			);
		}
	});

	test('changes metadata and scripts, and keeps the rest of them', async () => {
		const whole = await readPages();
		const metadata = change("{{ { metadata: { ...$json.metadata, title: 'New title' } } }}");
		const retitled = (await run(metadata, whole)).output;
		expect(retitled.map((each) => each.metadata)).toEqual(Array(2).fill({ title: 'New title' }));
		const script = { content: 'x', description: 'd', enabled: true, injectionPoint: 'head' };
		const scripts = [
			{ ...script, name: 'Chat' },
			{ ...script, name: 'Consent' },
		];
		const withScripts = whole.map((each) => ({ ...each, scripts }));
		const off = change(
			"{{ { scripts: $json.scripts.map((script) => script.name === 'Chat' ? { ...script, enabled: false } : script) } }}",
		);
		expect((await run(off, withScripts)).output.map((each) => each.scripts)).toEqual(
			Array(2).fill([{ ...scripts[0], enabled: false }, scripts[1]]),
		);
	});
});

test('clears a field when the item says so', async () => {
	const [{ pageId: id }] = stage.sandbox.store.pages.all();
	const [one, two] = stage.sandbox.store.audiences.of(id);
	const update = {
		resource: 'audience',
		operation: 'update',
		pageId: byId(id),
		audienceId: '={{ $json.audience }}',
		updateFields: { customName: 'x' },
		fieldsToClear: expression("{{ $json.form ? [] : ['actionFormIdOverride'] }}"),
	};
	await run({ ...update, options: { concurrency: 1 } }, [
		{ audience: one.audienceId, form: 'f' },
		{ audience: two.audienceId },
	]);
	expect(stage.sandbox.requests.map(({ body }) => body)).toEqual([
		{ customName: 'x' },
		{ customName: 'x', actionFormIdOverride: '' },
	]);
	const [{ pageId: other }] = stage.sandbox.store.pages.all();
	const jsonBody = expression("{{ { metadata: { ...$json.metadata, title: '' } } }}");
	stage.sandbox.requests.length = 0;
	const clear = { resource: 'page', operation: 'update', specifyBody: 'json', jsonBody };
	await run({ ...clear, pageId: byId(other) }, [{ metadata: { title: 'Old', author: 'Ann' } }]);
	expect(stage.sandbox.requests[0].body).toEqual({ metadata: { title: '', author: 'Ann' } });
});

test('takes over after a move, and restores the first receiver', async () => {
	const scene = await new Scene().open();
	try {
		const first = { url: 'https://example.com/first', events: ['form.enriched' as const] };
		const subscription = scene.subscription({ ...first, active: false });
		const trigger = scene.trigger(subscription, { address: 'https://old.example.com' });
		await trigger.publish();
		trigger.base = scene.host.url;
		await trigger.unpublish();
		expect(scene.host.log.join()).toContain('left unchanged');
		expect(subscription.url).toContain('https://old.example.com');
		await expect(trigger.publish()).rejects.toThrow('turn on Options > Take Over');
		trigger.parameters.options = { takeOver: true };
		await trigger.publish();
		expect(subscription).toMatchObject({ active: true });
		expect(subscription.url).toContain(trigger.productionUrl);
		trigger.parameters.options = {};
		await trigger.unpublish();
		expect(subscription).toMatchObject({ ...first, active: false });
	} finally {
		await scene.close();
	}
});

test('an alert has the problems of the subscription', async () => {
	const [subscription] = stage.sandbox.store.subscriptions.all();
	Object.assign(subscription, { active: false, events: ['form.enriched'] });
	const check = {
		resource: 'webhookSubscription',
		operation: 'check',
		subscriptionId: byId(subscription.subscriptionId),
		expected: { events: ['form.submitted'] },
	};
	const { output } = await run(check, [{}]);
	expect(output).toMatchObject([{ healthy: false }]);
	const text = expression("{{ $json.problems.map((problem) => problem.message).join(' ') }}");
	const assignments = [{ id: '1', name: 'text', value: text, type: 'string' }];
	const message = { resource: 'personLog', operation: 'create', source: 'alert' };
	const fields = { ...message, payloadFields: { assignments }, options: { dryRun: true } };
	const [{ request }] = (await run(fields, output)).output as [{ request: { body: IDataObject } }];
	const [{ problems }] = output as [{ problems: Array<{ message: string }> }];
	expect(problems.length).toBeGreaterThan(1);
	expect(request.body.payload).toEqual({
		text: problems.map(({ message: each }) => each).join(' '),
	});
});

describe('a value that was refused is accepted', () => {
	const dryRun = async (parameters: INodeParameters, items: IDataObject[]) => {
		const { output } = await run({ ...parameters, options: { dryRun: true } }, items);
		return output.map(({ request }) => (request as { body: IDataObject }).body);
	};
	const log = { resource: 'personLog', operation: 'create', source: 'crm' };

	test('as the first of several phone numbers', async () => {
		const phoneNumber = expression("{{ $json.phone.split(':::')[0] }}");
		const items = [{ phone: '+49 30 1234567 ::: +49 170 7654321' }, { phone: '+49 30 7654321' }];
		const bodies = await dryRun({ ...log, person: { phoneNumber } }, items);
		expect(bodies.map((body) => body.phoneNumber)).toEqual(['+49 30 1234567', '+49 30 7654321']);
	});

	test('as a text with quotes and line breaks in JSON', async () => {
		const payload = expression('{ "note": {{ JSON.stringify($json.message) }} }');
		const messages = ['She said "yes"', 'one\ntwo'];
		const items = messages.map((message) => ({ message }));
		const bodies = await dryRun({ ...log, payloadMode: 'json', payload }, items);
		expect(bodies.map((body) => body.payload)).toEqual(messages.map((note) => ({ note })));
	});

	test.each([
		["{{ $json.date.toDateTime('excel') }}", [46053, 46054]],
		["{{ DateTime.fromFormat($json.date, 'dd/MM/yyyy') }}", ['31/01/2026', '01/02/2026']],
	])('as a date by %s', async (text, dates) => {
		const [{ pageId: id }] = stage.sandbox.store.pages.all();
		const list = { resource: 'audienceSession', operation: 'getAll', pageId: byId(id), limit: 1 };
		const items = dates.map((date) => ({ date }));
		await run({ ...list, filters: { startDate: expression(text) } }, items);
		const asked = stage.sandbox.requests.map(({ query }) => String(query.startDate).slice(0, 10));
		expect([...new Set(asked)].sort()).toEqual(['2026-01-31', '2026-02-01']);
	});
});
