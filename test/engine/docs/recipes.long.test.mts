import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from '../engine.mts';
import { PolledWorkflow } from '../polling/polledWorkflow.mts';
import { Scene } from '../trigger/scene.mts';
import { readLine } from '../../unit/docs/pages.mts';
import { openStage } from '../stage.mts';

/** The recipes, followed as docs/recipes.md describes them. */
const page = readLine('recipes.md');

/** An expression of the page, as a workflow stores it. */
function expression(text: string): string {
	if (!page.includes(`\`${text}\``)) throw new Error(`Not on the page: ${text}`);
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

test('a form gives duplicates the same key and logs nobody without a name', async () => {
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
	await expect(run(log, [{ email: ' ' }])).rejects.toMatchObject({
		message: expect.stringContaining('Person needs a Person ID') as string,
	});
});

test('behind a firewall, each form submission adds one log entry', async () => {
	const { sessions, personLogs, pages } = stage.sandbox.store;
	const page = pages.all()[0];
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
	const log = {
		resource: 'personLog',
		operation: 'create',
		source: 'website-form',
		type: 'form-submitted',
		person: {
			email: expression('{{ $json.formSubmissionEmail }}'),
			phoneNumber: expression('{{ $json.formSubmissionPhone }}'),
		},
		payloadMode: 'inputItem',
		idempotency: 'custom',
		idempotencyKey: expression('{{ $json.formSubmissionId || $json.audienceSessionId }}'),
	};
	const { output } = await run(log, workflow.items);
	expect(output.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
		'form_new1',
		'form_new0',
		'form_again',
		'form_third',
		'audsession_without',
	]);
	expect(personLogs.all()).toHaveLength(before + 5);
});

describe('a nightly sync', () => {
	const sync = {
		resource: 'personLog',
		operation: 'create',
		source: 'hubspot',
		type: 'contact-synced',
		person: { email: '={{ $json.email }}', phoneNumber: '={{ $json.phone }}' },
		payloadFields: {
			assignments: [{ id: '1', name: 'stage', value: '={{ $json.stage }}', type: 'string' }],
		},
		idempotency: 'content',
	};
	const contacts = [
		{ email: 'a@crm.example', stage: 'lead' },
		{ phone: '+49 30 1', stage: 'lead' },
		{ email: '', phone: ' ', stage: 'lead' },
	];
	const onError = 'continueErrorOutput';

	test('keeps the key of an unchanged contact, and reports one that cannot be identified', async () => {
		const before = stage.sandbox.store.personLogs.all().length;
		const first = await run(sync, contacts, { onError });
		const changed = contacts.map((contact, i) =>
			i === 1 ? { ...contact, stage: 'won' } : contact,
		);
		const second = await run(sync, changed, { onError });
		const keys = [first, second].map(({ output }) => output.map((json) => json.idempotencyKey));
		expect(keys[1][0]).toBe(keys[0][0]);
		expect(keys[1][1]).not.toBe(keys[0][1]);
		expect(stage.sandbox.store.personLogs.all()).toHaveLength(before + 3);
		for (const { errors } of [first, second]) {
			expect(errors).toMatchObject([{ stage: 'lead', details: { itemIndex: 2 } }]);
		}
	});

	test('reports 409 on the error output when the service rejects a known key', async () => {
		stage.sandbox.faults.add({ kind: 'status', status: 409, times: 1 });
		const { output, errors } = await run(sync, contacts.slice(0, 2), { onError });
		expect([output.length, errors.length]).toEqual([1, 1]);
		expect(errors[0].details).toMatchObject({ status: 409, maybeDone: false });
	});
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
	const pages = await createPages();
	const headerActionId = expression(
		"{{ $json.actions.find((action) => action.buttonTitle === 'Book a demo').actionId }}",
	);
	const update = {
		resource: 'page',
		operation: 'update',
		pageId,
		updateFields: { headerActionId },
	};
	const { output } = await run(update, pages);
	expect(output.map((json) => json.headerActionId)).toEqual(
		pages.map((each) => titled(each, 'Book a demo')?.actionId),
	);
});

test('changes one entry of a list and keeps the others', async () => {
	const pages = await createPages();
	const update = { resource: 'page', operation: 'update', pageId, simplify: false };
	const found = pages.map(({ pageId: id, name }) => ({ pageId: id, name }));
	const name = expression('{{ $json.name }}');
	const whole = (await run({ ...update, updateFields: { name } }, found)).output;
	expect(whole.map(({ updatedAt: _, ...each }) => each)).toEqual(
		pages.map(({ updatedAt: _, ...each }) => each),
	);
	const jsonBody = expression(
		"{{ { actions: $json.actions.map((action) => action.buttonTitle === 'Book a demo' ? { ...action, url: 'https://example.com/new' } : action) } }}",
	);
	const changed = (await run({ ...update, specifyBody: 'json', jsonBody }, whole)).output;
	for (const [i, each] of changed.entries()) {
		expect(titled(each, 'Read on')).toEqual(titled(pages[i], 'Read on'));
		expect(titled(each, 'Book a demo')).toEqual({
			...titled(pages[i], 'Book a demo'),
			url: 'https://example.com/new',
		});
	}
	const metadata = expression("{{ { metadata: { ...$json.metadata, title: 'New title' } } }}");
	const retitled = await run({ ...update, specifyBody: 'json', jsonBody: metadata }, changed);
	expect(retitled.output.map((each) => each.metadata)).toEqual(
		Array(2).fill({ title: 'New title' }),
	);
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
	const jsonBody = '{ "metadata": { "title": "" } }';
	expect(page).toContain(jsonBody);
	stage.sandbox.requests.length = 0;
	const clear = { resource: 'page', operation: 'update', specifyBody: 'json', jsonBody };
	await run({ ...clear, pageId: byId(other) }, [{}]);
	expect(stage.sandbox.requests[0].body).toEqual({ metadata: { title: '' } });
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
