import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RunResult } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/*
 * People paste the API key into other fields, and a service may repeat it. Extends redact.test.mts, which has the forms
 * of one message, by the whole run.
 */

const apiKey = 'pk_live_0123456789abcdef';
const setup = setUpActionNode({ apiKey });

async function run(parameters: INodeParameters, onError: 'stopWorkflow' | 'continueRegularOutput') {
	const options = { ...requestLimits({ concurrency: 1 }), ...(parameters.options as object) };
	return await setup.run({ ...parameters, options }, [{ key: apiKey }, { key: apiKey }], {
		onError,
	});
}

const tell = ({ output, error, hints }: RunResult) =>
	JSON.stringify([output, error?.message, error?.description, error?.context, error?.stack, hints]);

const person = { resource: 'person', operation: 'createOrGet', name: 'Ada' };
const nobody = { body: { items: [], hasMore: false } };
const another = { body: { personId: 'p1', email: `${apiKey}@x.example` }, status: 200 };
const page = { items: [] as IDataObject[], hasMore: true, nextCursor: apiKey };

test.each<
	[
		what: string,
		parameters: INodeParameters,
		told: string,
		answers?: Array<{ body: object; status?: number }>,
	]
>([
	[
		'as an ID',
		{ resource: 'audience', operation: 'getAll', pageId: '={{ $json.key }}' },
		'was not found (404)',
	],
	[
		'as an ID whose form is known',
		{ resource: 'account', operation: 'update', accountId: '={{ $json.key }}', name: 'A' },
		'but is',
	],
	['as an email', { ...person, email: '={{ $json.key }}' }, 'Email to Match'],
	[
		'as a session, in a hint',
		{
			resource: 'audienceSession',
			operation: 'getInteractions',
			audienceSessionId: '={{ $json.key }}',
		},
		'did not find session',
		[{ body: { found: false } }, { body: { found: false } }],
	],
	[
		'in a response to a write',
		{ ...person, operation: 'create' },
		'Unknown key ***',
		[401, 401].map((status) => ({ status, body: { message: `Unknown key ${apiKey}` } })),
	],
	[
		'in a cursor',
		{ resource: 'person', operation: 'getAll', returnAll: true },
		'lastPosition',
		[{ body: page }, { body: page }],
	],
	[
		'in another person',
		{ ...person, email: 'ada@x.example', options: { lookup: 'search' } },
		'returned another person',
		[nobody, another, nobody, another],
	],
])('the API key %s stands in no message', async (_, parameters, told, answers = []) => {
	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		setup.sandbox.reset();
		for (const answer of answers) setup.sandbox.faults.add({ kind: 'answer', ...answer });
		const shown = tell(await run(parameters, onError));
		expect(shown).toContain(told);
		expect(shown).not.toContain(apiKey);
		expect(shown).toContain('***');
	}
});
