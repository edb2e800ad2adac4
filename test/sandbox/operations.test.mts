import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { SandboxInProcess } from '../../sandbox/inProcess.mts';
import { handlers } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call, examples } from './calling.mts';

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
		test('accepts its example, responds as documented, and in the same way in process', async () => {
			const response = await call(sandbox, method, path, sent);
			expect([response.status, response.data]).toEqual([status, expect.any(Object)]);
			expect(sandbox.requests).toMatchObject([{ operationId, method, path, status }]);
			const query = new URLSearchParams(sent.query as Record<string, string>);
			const request = { method, path, query: Object.fromEntries(query), body: sent.body };
			const reply = new SandboxInProcess().answer(request);
			const today = new RegExp(`"${new Date().toISOString().slice(0, 10)}[^"]+"`, 'g');
			const write = (body: unknown) => JSON.stringify(body).replace(today, '"today"');
			expect([reply.status, write(reply.body)]).toEqual([status, write(response.data)]);
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
	['GET', '/v0/pages', undefined, 404, /^Unknown endpoint: GET \/v0\/pages$/],
	['GET', '/v0/persons/', undefined, 404, /^Unknown endpoint/],
	['GET', '/v0/persons?page=2', undefined, 400, /page/],
	['GET', '/v0/persons', {}, 400, /body/],
	['POST', '/v0/persons', { name: 'Ada', nickname: 'A' }, 400, /nickname must NOT have/],
	['POST', '/v0/persons', '{"name":', 400, /^body must be valid JSON: /],
	['POST', '/v0/persons', undefined, 415, /unsupported media type/],
	['GET', '/v0/accounts/a%2Fb%20c/activity', undefined, 404, /^Account 'a\/b c' was not found$/],
])('rejects %s %s with the body %j', async (method, path, body, status, message) => {
	const response = await call(sandbox, method, path, { body });
	expect([response.status, response.data.message]).toEqual([
		status,
		expect.stringMatching(message),
	]);
});

test.each([undefined, 'guess'])('rejects the key %s', async (key) => {
	const headers = { 'x-api-key': key };
	expect((await call(sandbox, 'GET', '/v0/persons', { headers })).status).toBe(401);
});

test('cannot return what is not documented', async () => {
	Object.assign(sandbox.store.persons.all()[0], { score: 1 });
	const { status, data } = await call(sandbox, 'GET', '/v0/persons');
	expect([status, data.message]).toEqual([500, expect.stringContaining('additional properties')]);
});

test('keeps what was written, and links it', async () => {
	const [{ pageId }, other] = sandbox.store.pages.all();
	const [{ audienceId, status }] = sandbox.store.audiences.of(pageId);
	const path = `/v0/pages/${pageId}/audiences`;
	const elsewhere = `/v0/pages/${other.pageId}/audiences/${audienceId}/versions`;
	expect((await call(sandbox, 'GET', elsewhere)).status).toBe(404);
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
