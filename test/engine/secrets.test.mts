import type { INodeParameters } from 'n8n-workflow';
import type { Run, RunResult } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/*
 * People paste the API key into other fields, and a service may repeat it. Extends redact.test.mts, which has the forms
 * of one message, by the whole run.
 */

const apiKey = 'pk_live_0123456789abcdef';
const setup = setUpActionNode({ apiKey });

const tell = ({ output, error, hints }: RunResult) =>
	JSON.stringify([output, error?.message, error?.description, error?.context, error?.stack, hints]);

const key = '={{ $json.key }}';
const person = { resource: 'person', operation: 'createOrGet', name: 'Ada' };
const account = { resource: 'account', operation: 'update', accountId: key, name: 'A' };
const session = { resource: 'audienceSession', operation: 'getInteractions' };
const bySearch = { ...person, email: 'ada@x.example', options: { lookup: 'search' } };
const notFound = { body: { found: false } };
const unknownKey = { body: { message: `Unknown key ${apiKey}` }, status: 401 };
const nobody = { body: { items: [], hasMore: false } };
const another = { body: { personId: 'p1', email: `${apiKey}@x.example` }, status: 200 };
const page = { body: { items: [], hasMore: true, nextCursor: apiKey } };

type Row = [what: string, parameters: INodeParameters, told: string, answers?: object[]];
test.each<Row>([
	['as an ID', { resource: 'audience', operation: 'getAll', pageId: key }, 'was not found (404)'],
	['as an ID whose form is known', account, 'but is'],
	['as an email', { ...person, email: key }, 'Email to Match'],
	[
		'as a session, in a hint',
		{ ...session, audienceSessionId: key },
		'did not find session',
		[notFound],
	],
	['in a response to a write', { ...person, operation: 'create' }, 'Unknown key ***', [unknownKey]],
	[
		'in a cursor',
		{ ...person, operation: 'getAll', returnAll: true },
		'lastPosition',
		[page, page],
	],
	['in another person', bySearch, 'returned another person', [nobody, another]],
])('the API key %s stands in no message', async (_, parameters, told, answers = []) => {
	const options = { ...requestLimits({ concurrency: 1 }), ...(parameters.options as object) };
	const items = [{ key: apiKey }, { key: apiKey }];
	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		setup.sandbox.reset();
		for (const answer of [...answers, ...answers])
			setup.sandbox.faults.add({ kind: 'answer', ...(answer as { body: object }) });
		const shown = tell(await setup.run({ ...parameters, options }, items, { onError }));
		expect(shown).toContain(told);
		expect(shown).not.toContain(apiKey);
		expect(shown).toContain('***');
	}
});

/* Whoever sees an execution must not be able to start a workflow, or to read where events went before. */
describe('the secret in the URL of a subscription', () => {
	const secret = '0123456789abcdef'.repeat(4);
	const ofTrigger = `https://n8n.example/webhook/1/webhook?a=1&token=${secret}`;
	const shown = 'https://n8n.example/webhook/1/webhook?a=1&token=***';
	const ofOthers = 'https://receiver.example/hook?token=of-the-receiver';

	let ids: string[];
	beforeEach(() => {
		const subscriptions = setup.sandbox.store.subscriptions.all().slice(0, 2);
		Object.assign(subscriptions[0], { url: ofTrigger, active: true });
		subscriptions[1].url = ofOthers;
		ids = subscriptions.map(({ subscriptionId }) => subscriptionId);
	});

	async function runOn(parameters: INodeParameters, more: Partial<Run> = {}, urls: string[] = []) {
		const subscription = { resource: 'webhookSubscription', subscriptionId: '={{ $json.id }}' };
		const items = ids.map((id, item) => ({ id, url: urls[item] }));
		return await setup.run({ ...subscription, ...parameters }, items, more);
	}

	test.each<[operation: string, updateFields?: INodeParameters]>([
		['get'],
		['getAll'],
		['update', { events: ['form.submitted'] }],
	])('a URL from %s is without the secrets of a trigger', async (operation, updateFields = {}) => {
		for (const asTool of [false, true]) {
			const { output, contextData, hints } = await runOn({ operation, updateFields }, { asTool });
			const urls = output.map(({ json }) => json.url);
			expect(urls).toEqual(expect.arrayContaining([shown, ofOthers]));
			expect(JSON.stringify([output, contextData, hints])).not.toContain(secret.slice(16));
		}
		// The subscription itself is unchanged.
		expect(setup.sandbox.store.subscriptions.get(ids[0])?.url).toBe(ofTrigger);
	});

	test('Check compares the real URL, and shows none', async () => {
		const check = async (url: string) => await runOn({ operation: 'check', expected: { url } });
		const same = await check(ofTrigger);
		expect(same.output[0].json).toMatchObject({ healthy: true, problems: [] });
		const other = await check(ofTrigger.replace(secret, secret.replace('0', '1')));
		expect(other.output[0].json.healthy).toBe(false);
		expect(JSON.stringify(other.output)).toContain('the rest of its URL differs');
		expect(JSON.stringify([same.output, other.output])).not.toContain(secret.slice(16));
	});

	test.each<[parameters: INodeParameters, told: string]>([
		[
			{ operation: 'update', updateFields: { url: shown } },
			'Update Fields > URL contains *** in place of a secret. Publish the workflow of the trigger to register its URL',
		],
		[
			{ operation: 'check', expected: { url: shown } },
			'Expected > URL contains *** in place of a secret. Leave out the query to accept any',
		],
	])('a URL that was copied from an output is refused: %j', async (parameters, told) => {
		const { error } = await runOn(parameters);
		expect(error?.message).toContain(told);
		expect(setup.received).toEqual([]);
	});

	test('a dry run hides what a trigger has in its query, and Update sends it', async () => {
		const update = { operation: 'update', updateFields: { url: '={{ $json.url }}' } };
		const urls = [ofOthers, ofTrigger];
		const preview = await runOn({ ...update, options: { dryRun: true } }, {}, urls);
		expect(preview.output.map(({ json }) => json.request)).toMatchObject([
			{ body: { url: ofOthers } },
			{ body: { url: shown } },
		]);
		await runOn(update, {}, urls);
		expect(ids.map((id) => setup.sandbox.store.subscriptions.get(id)?.url)).toEqual(urls);
	});

	test('a message that quotes a URL hides the same', async () => {
		const url = ofTrigger.replace('https://', '');
		const invalid = await runOn({ operation: 'update', updateFields: { url } });
		expect(invalid.error?.message).toContain('must be a full URL');
		const body = { message: `The destination ${ofTrigger} does not respond` };
		setup.sandbox.faults.add({ kind: 'status', status: 422, body });
		const refused = await runOn({ operation: 'update', updateFields: { active: true } });
		expect(refused.error?.description).toContain(`The destination ${shown} does not respond`);
		expect(tell(invalid) + tell(refused)).not.toContain(secret.slice(0, 6));
	});
});
