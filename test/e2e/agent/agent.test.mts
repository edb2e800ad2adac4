import { resources } from '../../../nodes/PageAudience/resources/index.ts';
import { itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import { agentItem, openAgentStage, type AgentStage } from './agentStage.mts';
import type { Turn } from './scriptedModel.mts';
import { tool } from './toolNode.mts';

let stage: AgentStage;
beforeAll(async () => {
	stage = await openAgentStage();
});
beforeEach(() => stage.bench.sandbox.reset());
afterAll(() => stage.close());

const searchPersons = { resource: 'person', operation: 'search' };
const listAudiences = { resource: 'audience', operation: 'getAll' };
const createLog = { resource: 'personLog', operation: 'create' };
const logFields = ['source', 'type', 'payload', 'person.email'];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const call = (given: JsonObject): Turn => ({ call: tool, with: given });
const sent = () =>
	stage.bench.sandbox.requests.map(({ method, path, body }) => ({ method, path, body }));
/** The results that the model read. */
const read = (): unknown[] => stage.model.observations().map((text) => JSON.parse(text) as unknown);
const aPage = () => stage.bench.sandbox.store.pages.all()[0].pageId;

describe('what the model learns about', () => {
	test.each([
		[
			searchPersons,
			['query', 'limit'],
			'Search persons in Page Audience',
			{ Query: { type: 'string' }, Limit: { type: 'number' } },
		],
		[
			{ resource: 'account', operation: 'getActivity' },
			['accountId', 'limit'],
			'Get account activity in Page Audience',
			{ Account_ID: { type: 'string' }, Limit: { type: 'number' } },
		],
		[
			createLog,
			[...logFields, 'person.personId'],
			'Create person log entry in Page Audience',
			{
				Source: { type: 'string' },
				Type: { type: 'string' },
				Payload_JSON: {},
				Email: { type: 'string' },
				Person_ID: { type: 'string' },
			},
		],
		[
			{ resource: 'audience', operation: 'update' },
			['pageId', 'audienceId', 'updateFields.customName'],
			'Update audience in Page Audience',
			{
				Page_ID: { type: 'string' },
				Audience_ID: { type: 'string' },
				Custom_Name: { type: 'string' },
			},
		],
	])('%j', async (chosen, names, description, properties) => {
		await stage.run(stage.toolNode.describe(chosen, names), []);
		expect(stage.model.tools()).toEqual([
			expect.objectContaining({
				name: tool,
				description,
				parameters: expect.objectContaining({
					properties,
					required: expect.arrayContaining(Object.keys(properties)) as unknown,
				}) as unknown,
			}),
		]);
	});

	test('gives no two parameters of an operation the same name', () => {
		for (const { chosen, labels } of listOperations()) {
			const twice = labels.filter((label, index) => labels.indexOf(label) !== index);
			expect({ chosen, twice }).toEqual({ chosen, twice: [] });
		}
		const operations = resources.flatMap((resource) => resource.operations);
		expect(listOperations()).toHaveLength(operations.length);
	});
});

/** Each operation with the labels that a model can fill in. */
function listOperations(): Array<{ chosen: JsonObject; labels: string[] }> {
	const { toolNode } = stage;
	const valuesOf = (name: string, chosen: JsonObject) =>
		(toolNode.list(chosen).find((property) => property.name === name)?.options ?? []).flatMap(
			(option) => ('value' in option ? [option.value] : []),
		);
	return valuesOf('resource', {}).flatMap((resource) =>
		valuesOf('operation', { resource }).map((operation) => {
			const chosen = { descriptionType: 'auto', resource, operation };
			// A model fills in neither choices nor collections. Members of rows are numbered.
			const labels = toolNode
				.list(chosen)
				.flatMap((property) =>
					property.type === 'collection' && property.name !== 'options'
						? (property.options ?? [])
						: [property],
				)
				.flatMap((each) =>
					'type' in each &&
					!['options', 'collection', 'fixedCollection', 'notice'].includes(each.type)
						? [each.displayName]
						: [],
				);
			return { chosen, labels };
		}),
	);
}

test('the model reads the records and nothing else', async () => {
	const node = stage.toolNode.describe(searchPersons, ['query', 'limit']);
	await stage.run(node, [call({ Query: 'a', Limit: 2 })]);
	expect(sent()).toHaveLength(1);
	const { items } = (await stage.bench.read('/v0/persons/search?query=a&limit=2')) as {
		items: unknown;
	};
	expect(read()).toEqual([items]);
});

test('the model reads an empty list when nothing is found', async () => {
	const node = stage.toolNode.describe(searchPersons, ['query', 'limit']);
	await stage.run(node, [call({ Query: 'nobody is called like this', Limit: 2 })]);
	expect(read()).toEqual(['']);
});

describe('small outputs', () => {
	const simplified = [
		'audienceId',
		'pageId',
		'effectiveName',
		'customName',
		'status',
		'actionUrlOverride',
		'prospectId',
		'publishedVersionNumber',
		'createdAt',
		'archivedAt',
	];
	/** The fields of the first record of each call. */
	const fields = () => read().map((records) => Object.keys((records as JsonObject[])[0]));

	test('hold ten fields of a record by default', async () => {
		const node = stage.toolNode.describe(listAudiences, ['pageId', 'limit']);
		await stage.run(node, [call({ Page_ID: aPage(), Limit: 1 })]);
		expect(fields()).toEqual([simplified]);
	});

	test('hold ten fields after a write', async () => {
		const [{ pageId, audienceId }] = stage.bench.sandbox.store.audiences.all();
		const chosen = { resource: 'audience', operation: 'update' };
		const node = stage.toolNode.describe(chosen, [
			'pageId',
			'audienceId',
			'updateFields.customName',
		]);
		const given = { Page_ID: pageId, Audience_ID: audienceId, Custom_Name: 'Buyers' };
		await stage.run(node, [call(given)]);
		expect(fields()).toEqual([simplified]);
		expect(read()).toEqual([[expect.objectContaining({ audienceId, customName: 'Buyers' })]]);
		expect(sent()).toEqual([
			{
				method: 'PATCH',
				path: `/v0/pages/${pageId}/audiences/${audienceId}`,
				body: { customName: 'Buyers' },
			},
		]);
	});

	test('hold the ID and the fields that the model requests', async () => {
		const chosen = { ...listAudiences, output: 'selectedFields' };
		const node = stage.toolNode.describe(chosen, ['pageId', 'limit', 'outputFields']);
		const given = { Page_ID: aPage(), Limit: 1 };
		await stage.run(node, [
			call({ ...given, Output_Fields: 'effectiveName, status' }),
			call({ ...given, Output_Fields: ['status'] }),
			call({ ...given, Output_Fields: '' }),
		]);
		expect(fields()).toEqual([
			['audienceId', 'effectiveName', 'status'],
			['audienceId', 'status'],
			['audienceId'],
		]);
	});

	test('hold the fields that the builder chose', async () => {
		const chosen = { ...listAudiences, output: 'selectedFields', outputFields: ['status'] };
		await stage.run(stage.toolNode.describe(chosen, ['pageId', 'limit']), [
			call({ Page_ID: aPage(), Limit: 1 }),
		]);
		expect(fields()).toEqual([['audienceId', 'status']]);
	});

	test('hold whole records when the builder wants them', async () => {
		const node = stage.toolNode.describe({ ...listAudiences, output: 'raw' }, ['pageId', 'limit']);
		await stage.run(node, [call({ Page_ID: aPage(), Limit: 1 })]);
		const { items } = (await stage.bench.read(`/v0/pages/${aPage()}/audiences?limit=1`)) as {
			items: unknown;
		};
		expect(read()).toEqual([items]);
	});
});

describe('writes', () => {
	test("send what the model gave and a new key, and nothing of the agent's item", async () => {
		const given = {
			Source: 'crm',
			Type: 'deal-won',
			Payload_JSON: { stage: 'won' },
			Email: 'noor@example.com',
		};
		await stage.run(stage.toolNode.describe(createLog, logFields), [call(given), call(given)]);
		const bodies = sent().map(({ body }) => body as JsonObject);
		const body = {
			source: 'crm',
			type: 'deal-won',
			payload: { stage: 'won' },
			email: 'noor@example.com',
		};
		const idempotencyKey = expect.stringMatching(uuid) as unknown;
		expect(bodies).toEqual([
			{ ...body, idempotencyKey },
			{ ...body, idempotencyKey },
		]);
		expect(new Set(bodies.map((each) => each.idempotencyKey)).size).toBe(2);
		expect(JSON.stringify(bodies)).not.toContain(agentItem.secret);
		expect(read()).toEqual([
			[expect.objectContaining({ createdPerson: true, idempotencyKey: bodies[0].idempotencyKey })],
			[expect.objectContaining({ createdPerson: false, idempotencyKey: bodies[1].idempotencyKey })],
		]);
	});

	test('send a key from the content when the builder wants it', async () => {
		const node = stage.toolNode.describe({ ...createLog, idempotency: 'content' }, logFields);
		const given = {
			Source: 'crm',
			Type: 'deal-won',
			Payload_JSON: { a: 1 },
			Email: 'noor@example.com',
		};
		await stage.run(node, [call(given), call({ ...given, Payload_JSON: '{ "a": 1 }' })]);
		const keys = sent().map(({ body }) => (body as JsonObject).idempotencyKey);
		expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0]]);
	});

	test('accept several choices as text', async () => {
		const [{ subscriptionId }] = stage.bench.sandbox.store.subscriptions.all();
		const chosen = { resource: 'webhookSubscription', operation: 'update' };
		const names = ['subscriptionId', 'updateFields.events', 'updateFields.active'];
		const given = { Webhook_Subscription_ID: subscriptionId, Active: false };
		await stage.run(stage.toolNode.describe(chosen, names), [
			call({ ...given, Events: 'form.submitted, form.sent' }),
			call({ ...given, Events: 'form.submitted, form.enriched' }),
		]);
		const events = ['form.submitted', 'form.enriched'];
		expect(sent().map(({ body }) => body)).toEqual([{ active: false, events }]);
		expect(read()).toEqual([
			[
				{
					error: expect.stringMatching(
						/form\.enrichment_failed.* but contains "form\.sent"/,
					) as unknown,
				},
			],
			[expect.objectContaining({ subscriptionId, events, active: false })],
		]);
	});

	test.each([
		['the whole input item', { payloadMode: 'inputItem' }],
		['fields', { payloadMode: 'fields', payloadFields: { assignments: [] } }],
	])('no payload from %s, whatever was stored', async (_, stored) => {
		const node = stage.toolNode.describe(createLog, ['source', 'type', 'person.email']);
		Object.assign(node.parameters, stored);
		await stage.run(node, [call({ Source: 'crm', Type: 'note', Email: 'noor@example.com' })]);
		expect(sent()).toEqual([]);
		expect(read()).toEqual([
			[{ error: expect.stringContaining('Payload must be one of json') as unknown }],
		]);
	});
});

describe('refusals', () => {
	const again = 'Nothing was sent. Correct this and call the tool again.';

	test('tell the model what to change', async () => {
		const wrong = {
			Source: 'Our CRM',
			Type: 'note',
			Payload_JSON: { a: 1 },
			Email: 'noor@example.com',
		};
		const execution = await stage.run(stage.toolNode.describe(createLog, logFields), [
			call(wrong),
			({ error }) => ({
				call: tool,
				with: { ...wrong, Source: /for example "([^"]*)"/.exec(error)?.[1] },
			}),
		]);
		expect(read()).toEqual([
			[
				{
					error: `Source is invalid: use lowercase letters, digits and single hyphens, up to 100 characters, for example "our-crm" instead of "Our CRM". ${again}`,
				},
			],
			[expect.objectContaining({ source: 'our-crm' })],
		]);
		expect(sent().map(({ body }) => (body as JsonObject).source)).toEqual(['our-crm']);
		// The list of executions shows the rejected call as failed.
		expect(execution.nodes[tool].map(({ error }) => error !== undefined)).toEqual([true, false]);
		expect(itemsOf(execution, tool)).toEqual([]);
	});

	test.each<[string, JsonObject, string[], JsonObject, string]>([
		[
			'a name for an ID',
			{ resource: 'account', operation: 'getActivity' },
			['accountId', 'limit'],
			{ Account_ID: 'Acme', Limit: 5 },
			`Account ID must be "account_" followed by 26 lowercase letters and digits (find it with Account > Search), but is "Acme". ${again}`,
		],
		[
			'nobody to write about',
			createLog,
			logFields,
			{ Source: 'crm', Type: 'note', Payload_JSON: { a: 1 }, Email: '' },
			`Person needs a Person ID, Email, Phone Number or LinkedIn Profile URL, or the entry is not linked to anyone. ${again}`,
		],
		[
			'several at once',
			listAudiences,
			['pageId', 'limit'],
			{ Page_ID: '', Limit: 0 },
			`Page ID is required; Limit must be 1 or more, but is 0. ${again}`,
		],
		[
			'a payload that is no JSON',
			createLog,
			logFields,
			{ Source: 'crm', Type: 'note', Payload_JSON: 'won', Email: 'noor@example.com' },
			`Payload JSON must be valid JSON, but is "won". ${again}`,
		],
	])('%s', async (_, chosen, names, given, error) => {
		await stage.run(stage.toolNode.describe(chosen, names), [call(given)]);
		expect(read()).toEqual([[{ error }]]);
		expect(sent()).toEqual([]);
	});

	test.each([
		[
			'no page of the ID',
			listAudiences,
			['pageId', 'limit'],
			{ Page_ID: 'spring', Limit: 1 },
			/^Page "spring" was not found \(404\)\. The service said: ".*spring.*"\. Check the ID/,
		],
		[
			'values that it does not accept',
			createLog,
			logFields,
			{ Source: 'crm', Type: 'note', Payload_JSON: { a: 1 }, Email: 'noor' },
			/^The service rejected the values \(422\)\. The service said: "noor is no address"\. Check the values/,
		],
	])('of the service tell the model what to do: %s', async (_, chosen, names, given, error) => {
		const answer = { status: 422, body: { message: 'noor is no address' } };
		stage.bench.sandbox.faults.add({ kind: 'status', method: 'POST', ...answer });
		await stage.run(stage.toolNode.describe(chosen, names), [call(given)]);
		expect(read()).toEqual([[{ error: expect.stringMatching(error) as unknown }]]);
	});

	test.each([3.1, 2.2])(
		'reach the model of agent version %d when On Error continues',
		async (version) => {
			const node = stage.toolNode.describe(createLog, logFields, {
				onError: 'continueRegularOutput',
			});
			const wrong = {
				Source: 'Our CRM',
				Type: 'note',
				Payload_JSON: { a: 1 },
				Email: 'a@example.com',
			};
			await stage.run(node, [call(wrong), call({ ...wrong, Source: 'our-crm' })], version);
			expect(read()).toEqual([
				[expect.objectContaining({ error: expect.stringContaining('"our-crm"') as unknown })],
				[expect.objectContaining({ source: 'our-crm' })],
			]);
		},
	);
});
