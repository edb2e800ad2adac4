import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { SandboxInProcess } from '../../sandbox/inProcess.mts';
import { handlers, startSandbox } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';
import { examples } from './examples.mts';

const sandbox = openSandbox();
const root = join(__dirname, '../..');

// If it fails, run the command without --check.
test('the types are those of the document', () => {
	const generate =
		'sandbox/openapi.yaml -o sandbox/openapi.d.mts --root-types --root-types-no-schema-prefix --check';
	const args = ['node_modules/openapi-typescript/bin/cli.js', ...generate.split(' ')];
	execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' });
});

test('there is an example of every operation', () => {
	expect(examples.map(({ operationId }) => operationId).sort()).toEqual(
		Object.keys(handlers).sort(),
	);
});

describe.each(examples)(
	'$operationId',
	({ operationId, method, template, path, status, ...sent }) => {
		// The sandbox validates each response against the document. If one is invalid, it responds 500.
		test('accepts its example, and responds as documented', async () => {
			const response = await call(sandbox, method, path, sent);
			expect([response.status, response.data]).toEqual([status, expect.any(Object)]);
			expect(sandbox.requests).toMatchObject([{ operationId, method, path, status }]);
		});

		test('responds in the same way in process', async () => {
			const { data } = await call(sandbox, method, path, sent);
			const query = new URLSearchParams(sent.query as Record<string, string>);
			const request = { method, path, query: Object.fromEntries(query), body: sent.body };
			const reply = new SandboxInProcess().answer(request);
			const today = new RegExp(`"${new Date().toISOString().slice(0, 10)}[^"]+"`, 'g');
			const write = (body: unknown) => JSON.stringify(body).replace(today, '"today"');
			expect([reply.status, write(reply.body)]).toEqual([status, write(data)]);
		});

		// A session without records is an empty list there.
		if (template.includes('{') && !template.endsWith('/interactions'))
			test('rejects an unknown record', async () => {
				const unknown = template.replace(/\{(\w+)_id\}/g, '$1_none');
				const { status: given, data } = await call(sandbox, method, unknown, sent);
				expect([given, data.message]).toEqual([
					404,
					expect.stringMatching(/^[A-Z][a-z ]+ '\w+_none' was not found$/),
				]);
			});
	},
);

test.each([
	['GET', '/v0/pages'],
	['DELETE', '/v0/persons'],
	['GET', '/v0/persons/'],
	['GET', '/v0/Persons'],
	['GET', '/v1/persons'],
	['POST', '/v0/pages//audiences/a/restore'],
])('rejects the unknown endpoint %s %s', async (method, path) => {
	const { status, data } = await call(sandbox, method, path);
	expect([status, data.message]).toEqual([404, `Unknown endpoint: ${method} ${path}`]);
});

test.each([undefined, 'guess'])('rejects the key %s', async (key) => {
	const headers = { 'x-api-key': key };
	expect((await call(sandbox, 'GET', '/v0/persons', { headers })).status).toBe(401);
});

test.each([
	['an undocumented field', { name: 'Ada', nickname: 'A' }, 400, /nickname must NOT have/],
	['broken JSON', '{"name":', 400, /^body must be valid JSON: /],
	['no body', undefined, 415, /unsupported media type/],
])('rejects %s', async (_what, body, status, message) => {
	const response = await call(sandbox, 'POST', '/v0/persons', { body });
	expect([response.status, response.data.message]).toEqual([
		status,
		expect.stringMatching(message),
	]);
});

test('rejects a body where none is documented, and an unknown query parameter', async () => {
	expect((await call(sandbox, 'GET', '/v0/persons', { body: {} })).status).toBe(400);
	expect((await call(sandbox, 'GET', '/v0/persons', { query: { page: 2 } })).status).toBe(400);
	expect((await call(sandbox, 'GET', '/v0/persons/search?query=')).status).toBe(200);
});

test('cannot return what is not documented, unless responses are not validated', async () => {
	const fast = await startSandbox({ validateResponses: false });
	for (const { store } of [sandbox, fast]) Object.assign(store.persons.all()[0], { score: 1 });
	const { status, data } = await call(sandbox, 'GET', '/v0/persons');
	expect([status, data.message]).toEqual([500, expect.stringContaining('additional properties')]);
	expect((await call(fast, 'GET', '/v0/persons')).data.items[0].score).toBe(1);
	await fast.close();
});

test('finds an audience only under its own page', async () => {
	const [page, other] = sandbox.store.pages.all();
	const { audienceId } = sandbox.store.audiences.of(page.pageId)[0];
	const path = `/v0/pages/${other.pageId}/audiences/${audienceId}/versions`;
	expect((await call(sandbox, 'GET', path)).status).toBe(404);
});

test('decodes an encoded ID', async () => {
	const { data } = await call(sandbox, 'GET', '/v0/accounts/a%2Fb%20c/activity');
	expect(data.message).toBe("Account 'a/b c' was not found");
});

test('keeps what was written', async () => {
	const [{ pageId }] = sandbox.store.pages.all();
	const [{ audienceId, status }] = sandbox.store.audiences.of(pageId);
	const path = `/v0/pages/${pageId}/audiences`;
	const { data: archived } = await call(sandbox, 'DELETE', `${path}/${audienceId}`);
	expect(archived.status).toBe('archived');
	expect((await call(sandbox, 'GET', path)).data.items[0]).toEqual(archived);
	const restored = await call(sandbox, 'POST', `${path}/${audienceId}/restore`, { body: {} });
	expect(restored.data).toMatchObject({ status, archivedAt: null });
	const body = { domain: 'Cobol.example', name: 'Cobol' };
	const { data: account } = await call(sandbox, 'POST', '/v0/accounts', { body });
	const person = { name: 'Grace', email: 'grace@cobol.example' };
	const { data: added } = await call(sandbox, 'POST', '/v0/persons', { body: person });
	const log = { source: 'web', type: 'visit', payload: {}, email: 'GRACE@cobol.example' };
	const logged = await call(sandbox, 'POST', '/v0/person_logs', { body: log });
	expect(logged.data).toMatchObject({ personId: added.personId, createdPerson: false });
	const activity = await call(sandbox, 'GET', `/v0/accounts/${account.accountId}/activity`);
	expect(activity.data.items).toMatchObject([{ personName: 'Grace', type: 'visit' }]);
});
