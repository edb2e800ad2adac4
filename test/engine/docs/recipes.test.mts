import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from '../engine.mts';
import { readLine } from '../../unit/docs/pages.mts';
import { setUpActionNode } from '../actionNodeSetup.mts';
import { detectBy } from '../../groups.mts';

/* The expressions of the pages for builders, in the workflows that the pages describe. */

const names = ['get-started', 'triggers', 'forms', 'crm-sync', 'export', 'change-a-page'];
const pages = [...names, 'troubleshooting'].map((name) => readLine(`${name}.md`)).join(' ');

/** An expression of the pages, as a workflow stores it. */
function expression(text: string): string {
	if (!pages.includes(text)) throw new Error(`Not on a page: ${text}`);
	return `=${text}`;
}

const setup = setUpActionNode();

async function run(parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) {
	setup.sandbox.requests.length = 0;
	const { output, error } = await setup.run(parameters, items, more);
	if (error) throw error;
	return output.map(({ json }) => json);
}

/** The bodies that a dry run shows. */
async function dryRun(parameters: INodeParameters, items: IDataObject[], more?: Partial<Run>) {
	const options = { ...(parameters.options as INodeParameters | undefined), dryRun: true };
	const output = await run({ ...parameters, options }, items, more);
	return output.map(({ request }) => (request as { body: IDataObject }).body);
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const log = { resource: 'personLog', operation: 'create', source: 'crm', person: {} };

test('earlier submissions get the keys of the first workflow, in the dry run and when they are written', async () => {
	const key = expression('{{ $json.formSubmissionId || $json.audienceSessionId }}');
	const person = { email: '={{ $json.formSubmissionEmail }}' };
	const options = detectBy('custom', key);
	const parameters = { ...log, person, payloadMode: 'inputItem', options };
	const session = { audienceSessionId: 'audsession_1', formSubmissionEmail: 'ada@a.example' };
	const items = ['submission_1', ''].map((id) => ({ ...session, formSubmissionId: id }));
	for (const records of [await dryRun(parameters, items), await run(parameters, items)]) {
		const keys = records.map(({ idempotencyKey }) => idempotencyKey);
		expect(keys).toEqual(['submission_1', 'audsession_1']);
	}
});

test('an export has the times in the time zone of the workflow', async () => {
	const value = expression(
		"{{ DateTime.fromISO($json.sessionStartedAt).toFormat('yyyy-MM-dd HH:mm') }}",
	);
	const payloadFields = { assignments: [{ id: '1', name: 'at', type: 'string', value }] };
	const times = ['2026-01-31T08:00:00.000Z', '2026-01-31T20:00:00.000Z'];
	const items = times.map((sessionStartedAt) => ({ sessionStartedAt }));
	const parameters = { ...log, payloadMode: 'fields', payloadFields };
	const bodies = await dryRun(parameters, items, { timezone: 'Asia/Tokyo' });
	const at = bodies.map(({ payload }) => (payload as IDataObject).at);
	expect(at).toEqual(['2026-01-31 17:00', '2026-02-01 05:00']);
});

describe('an export has the dates', () => {
	const timezone = 'Asia/Tokyo';
	const read = async (filters: INodeParameters, items: IDataObject[]) => {
		const list = { resource: 'audienceSession', operation: 'getAll', limit: 1 };
		const [page] = setup.sandbox.store.pages;
		await run({ ...list, pageId: byId(page.pageId), filters }, items, { timezone });
		return setup.sandbox.requests.map(({ query }) => query);
	};

	test.each([
		['startDate', "{{ $now.minus({ months: 1 }).startOf('month') }}"],
		['startDate', "{{ $now.startOf('month') }}"],
		['startDate', "{{ $now.minus({ days: 9 }).startOf('day') }}"],
		['endDate', "{{ $now.minus({ months: 1 }).endOf('month') }}"],
	])('of the workflow: its %s is %s', async (edge, text) => {
		const [query] = await read({ startDate: '2020-01-01', [edge]: expression(text) }, [{}]);
		// The text as a function of the time in the zone of the workflow.
		const date = new Function('$now', `return ${text.slice(2, -2)}`) as (now: DateTime) => DateTime;
		const expected = date(DateTime.now().setZone(timezone));
		expect(DateTime.fromISO(String(query[edge])).toMillis()).toBe(expected.toMillis());
	});

	test.each([
		["{{ $json.date.toDateTime('excel').toUTC().toISODate() }}", [46053, 46054]],
		["{{ DateTime.fromFormat($json.date, 'd/M/yyyy') }}", ['31/01/2026', '1/2/2026']],
	])('of spreadsheets: %s', async (text, dates) => {
		const items = dates.map((date) => ({ date }));
		const asked = await read({ startDate: expression(text) }, items);
		const days = asked.map(({ startDate }) => String(startDate).slice(0, 10));
		expect([...new Set(days)].sort()).toEqual(['2026-01-31', '2026-02-01']);
	});
});

const having = (members: object) => expect.objectContaining(members) as object;
const ofPage = (more: INodeParameters): INodeParameters => {
	const pageId = byId(expression('{{ $json.pageId }}'));
	return { resource: 'page', operation: 'update', pageId, ...more };
};
const byJson = (text: string) => ofPage({ specifyBody: 'json', jsonBody: expression(text) });
const fieldsToClear = expression("{{ $json.form ? [] : ['actionFormIdOverride'] }}");
const headerActionId = expression(
	"{{ $json.actions.find((action) => action.buttonTitle === 'Book a demo').actionId }}",
);
const pagesToChange = ['page_1', 'page_2'].map((pageId) => ({
	pageId,
	actions: ['Read on', 'Book a demo'].map((buttonTitle, i) => ({ actionId: `a${i}`, buttonTitle })),
	metadata: { title: 'Old', author: 'Ann' },
	scripts: ['Chat', 'Consent'].map((name) => ({ name, enabled: true })),
}));
const [{ actions, metadata, scripts }] = pagesToChange;
const twice = (body: object) => [body, body];

test.each<[what: string, parameters: INodeParameters, items: IDataObject[], bodies: object[]]>([
	[
		'the first of several phone numbers',
		{ ...log, person: { phoneNumber: expression("{{ $json.phone.split(':::')[0] }}") } },
		[{ phone: '+49 30 1234567 ::: +49 170 7654321' }, { phone: '+49 30 7654321' }],
		[having({ phoneNumber: '+49301234567' }), having({ phoneNumber: '+49307654321' })],
	],
	[
		'a text with quotes and line breaks in JSON',
		{
			...log,
			payloadMode: 'json',
			payload: expression('{ "note": {{ JSON.stringify($json.message) }} }'),
		},
		[{ message: 'She said "yes"' }, { message: 'one\ntwo' }],
		[having({ payload: { note: 'She said "yes"' } }), having({ payload: { note: 'one\ntwo' } })],
	],
	[
		'a field that is cleared when the item says so',
		ofPage({
			...{ resource: 'audience', audienceId: 'audience_1' },
			updateFields: { customName: 'x', fieldsToClear },
		}),
		[{ pageId: 'page_1', form: 'f' }, { pageId: 'page_1' }],
		[{ customName: 'x' }, { customName: 'x', actionFormIdOverride: '' }],
	],
	[
		'metadata that is cleared',
		byJson("{{ { metadata: { ...$json.metadata, title: '' } } }}"),
		[pagesToChange[0], { pageId: 'page_2' }],
		[{ metadata: { title: '', author: 'Ann' } }, { metadata: { title: '' } }],
	],
	[
		'changed metadata',
		byJson("{{ { metadata: { ...$json.metadata, title: 'New title' } } }}"),
		pagesToChange,
		twice({ metadata: { ...metadata, title: 'New title' } }),
	],
	[
		'a changed action',
		byJson(
			"{{ { actions: $json.actions.map((action) => action.buttonTitle === 'Book a demo' ? { ...action, url: 'https://example.com/new' } : action) } }}",
		),
		pagesToChange,
		twice({ actions: [actions[0], { ...actions[1], url: 'https://example.com/new' }] }),
	],
	[
		'a changed script',
		byJson(
			"{{ { scripts: $json.scripts.map((script) => script.name === 'Chat' ? { ...script, enabled: false } : script) } }}",
		),
		pagesToChange,
		twice({ scripts: [{ ...scripts[0], enabled: false }, scripts[1]] }),
	],
	[
		'the header action of a new page',
		ofPage({ updateFields: { headerActionId } }),
		pagesToChange,
		twice({ headerActionId: 'a1' }),
	],
])('a request has %s', async (_, parameters, items, bodies) => {
	expect(await dryRun(parameters, items)).toEqual(bodies);
});
