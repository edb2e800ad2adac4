import type { INodeParameters } from 'n8n-workflow';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import { runAllOffline, runOffline } from '../offline.mts';
import { entries } from '../engine.mts';
import { onlyNewOrChanged, requestLimits } from '../../groups.mts';

const sandbox = new SandboxInProcess();
beforeEach(() => {
	entries.empty();
	sandbox.store.persons.clear();
	sandbox.store.personLogs.clear();
});
const sync = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	type: 'contact',
	person: { email: '=p{{ $json.id }}@crm.example' },
	payloadMode: 'inputItem',
};
const ada = {
	resource: 'person',
	operation: 'createOrGet',
	matchOn: 'email',
	email: '={{ $json.email }}',
	name: 'Ada',
};
const people = {
	status: 200,
	body: { items: [{ personId: 'p', tenantId: 't1' }], hasMore: false },
};

// Both entries of a record are removed at once.
test('an overlapping run that is killed leaves no gap', async () => {
	const credential = { apiKey: 'k-gap-000000' };
	const items = Array.from({ length: 101 }, (_, id) => ({ id }));
	const parameters = {
		...sync,
		options: {
			...onlyNewOrChanged('={{ $json.id }}'),
			...requestLimits({ concurrency: 1, maxRetries: 0 }),
		},
	};
	let removals = 0;
	let begin: () => void = () => undefined;
	const aRemoves = new Promise<void>((resolve) => (begin = resolve));
	const killer = new AbortController();
	let isDead = false;
	entries.onAccess = async (call) => {
		if (isDead) throw new Error('Killed');
		if (call !== 'removeProcessed' || ++removals > 1) return;
		begin();
		for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
	};
	let posts = 0;
	await runAllOffline(
		[
			{ items, credential, parameters },
			{ items, credential, parameters, signal: killer.signal },
		],
		async (request, n) => {
			if (request.method === 'GET') {
				if (n > 0) await aRemoves;
				return people;
			}
			if (++posts === 1) return sandbox.answer(request);
			// The first run ends: the other 100 were not sent.
			if (posts === 2) return { status: 401, body: {} };
			// n8n is killed before the second run has sent anything.
			isDead = true;
			killer.abort();
			return await new Promise(() => undefined);
		},
	);
	isDead = false;
	entries.onAccess = () => undefined;
	await runOffline({
		items,
		credential,
		parameters,
		answer: (request) => (request.method === 'GET' ? people : sandbox.answer(request)),
	});
	const stored = new Set(
		sandbox.store.personLogs.all().map(({ payload }) => (payload as { id: number }).id),
	);
	expect(items.filter(({ id }) => !stored.has(id))).toEqual([]);
});

// A dry run takes back no doubt.
test.each([false, true])('after a dry run (%s), the next run still looks twice', async (isDry) => {
	const credential = { apiKey: `k-doubt-${isDry}` };
	const options = requestLimits({ maxRetries: 0 });
	const items = [{ email: 'ada@x.example' }];
	const underWay: Array<() => void> = [];
	await runOffline({
		items,
		credential,
		parameters: { ...ada, options },
		onError: 'continueRegularOutput',
		answer: (request) => {
			if (request.method === 'GET') return sandbox.answer(request);
			underWay.push(() => sandbox.answer(request));
			return { lost: 'ECONNRESET', message: 'lost' };
		},
	});
	if (isDry)
		await runOffline({
			items,
			credential,
			parameters: { ...ada, options: { ...options, dryRun: true } },
			answer: (request) => sandbox.answer(request),
		});
	await runOffline({
		items,
		credential,
		parameters: { ...ada, options },
		answer: (request) => {
			const reply = sandbox.answer(request);
			// The service is done with the first attempt after this run's first look.
			if (request.path.endsWith('/persons') && 'status' in reply && reply.status === 200)
				underWay.pop()?.();
			return reply;
		},
	});
	expect(sandbox.store.persons.size).toBe(1);
});

test.each<[string, INodeParameters]>([
	['Record ID', onlyNewOrChanged('={{ $json.id.toNumber() }}')],
	[
		'Record Version',
		onlyNewOrChanged('={{ $json.n }}', { recordVersion: '={{ $json.id.toNumber() }}' }),
	],
])(
	'an expression in %s that throws for the first item fails that item alone',
	async (_, options) => {
		const items = [
			{ id: 'abc', n: 'a' },
			{ id: '2', n: 'b' },
			{ id: '3', n: 'c' },
		];
		const { output } = await runOffline({
			items,
			credential: { apiKey: 'k-expression' },
			onError: 'continueRegularOutput',
			parameters: { ...sync, person: { email: '={{ $json.n }}@crm.example' }, options },
			answer: (request) => sandbox.answer(request),
		});
		expect(output.map(({ json }) => json.error !== undefined)).toEqual([true, false, false]);
	},
);

test.each<[string, Parameters<typeof runOffline>[0]['answer']]>([
	['that responds', () => people],
	['at its rate limit', () => ({ status: 429, headers: { 'retry-after': '60' } })],
])('an invalid item of a sync sends nothing to a service %s', async (_, answer) => {
	const { error, exchanges } = await runOffline({
		items: [{ id: 1 }, { id: 'null' }],
		credential: { apiKey: 'k-refused' },
		parameters: { ...sync, options: onlyNewOrChanged('={{ $json.id }}') },
		answer,
	});
	expect(error?.description).toContain('Nothing was sent.');
	expect(
		exchanges.map(
			({ request: { method, path }, startedAtMs }) =>
				`${method} ${path} ${startedAtMs - exchanges[0].startedAtMs}`,
		),
	).toEqual([]);
});
