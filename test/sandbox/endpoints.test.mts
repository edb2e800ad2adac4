import { loadDocument } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';
import { describeExamples, type Example } from './endpoints.mts';

const sandbox = openSandbox();
let examples: Map<string, Example>;
beforeAll(() => {
	examples = new Map(describeExamples(sandbox).map((example) => [example.operationId, example]));
});

const get = (operationId: string): Example => {
	const example = examples.get(operationId);
	if (!example) throw new Error(`No example of ${operationId}`);
	return example;
};

const ids = Object.values(loadDocument().paths ?? {}).flatMap(
	({ get: read, post, patch, delete: remove }) =>
		[read, post, patch, remove].flatMap((operation) => operation?.operationId ?? []),
);
const withBody = ids.filter((id) => /^(create|update|restore)/.test(id));
const withoutBody = ids.filter((id) => !withBody.includes(id));

test('has an example for each endpoint of the document', () => {
	expect([...examples.keys()].sort()).toEqual([...ids].sort());
});

describe.each(ids)('%s', (operationId) => {
	test('returns the documented status for a valid request', async () => {
		const { method, path, status, ...sent } = get(operationId);
		const answer = await call(sandbox, method, path, sent);
		expect([answer.status, answer.data]).toEqual([status, expect.any(Object)]);
		expect(answer.headers['content-type']).toMatch('application/json');
		expect(sandbox.requests).toMatchObject([{ operationId, method, path, status }]);
	});

	test('rejects a missing and a wrong key', async () => {
		const { method, path, status: _, ...sent } = get(operationId);
		const missing = await call(sandbox, method, path, {
			...sent,
			headers: { 'x-api-key': undefined },
		});
		expect(missing.status).toBe(401);
		expect(missing.data.message).toMatch("'x-api-key' header required");
		const wrong = await call(sandbox, method, path, { ...sent, headers: { 'x-api-key': 'guess' } });
		expect(wrong.status).toBe(401);
		expect(wrong.data.message).toMatch('is invalid');
	});

	test('rejects an undocumented query parameter', async () => {
		const { method, path, status: _, ...sent } = get(operationId);
		const query = { ...sent.query, page: 2 };
		const answer = await call(sandbox, method, path, { ...sent, query });
		expect(answer.status).toBe(400);
		expect(answer.data.message).toMatch('query/page Unknown query parameter');
	});
});

describe.each(withBody)('the body of %s', (operationId) => {
	const send = (body: unknown, headers = {}) => {
		const { method, path } = get(operationId);
		return call(sandbox, method, path, { body, headers });
	};

	test('rejects an undocumented field', async () => {
		const answer = await send({ ...(get(operationId).body as object), nickname: 'x' });
		expect(answer.status).toBe(400);
		expect(answer.data.message).toMatch('body/nickname must NOT have additional properties');
	});

	test('rejects a list', async () => {
		const answer = await send([]);
		expect([answer.status, answer.data.message]).toEqual([400, 'body must be object']);
	});

	test('rejects anything but JSON with its content type', async () => {
		const broken = await send('{"name":');
		expect(broken.status).toBe(400);
		expect(broken.data.message).toMatch(/^body must be valid JSON: /);
		const text = await send('name=x', { 'content-type': 'application/x-www-form-urlencoded' });
		expect(text.status).toBe(415);
		expect(text.data.message).toMatch('application/x-www-form-urlencoded');
		const silent = await send(undefined);
		expect(silent.status).toBe(415);
	});
});

test.each(withoutBody)('%s rejects a body', async (operationId) => {
	const { method, path, query } = get(operationId);
	const answer = await call(sandbox, method, path, { query, body: {} });
	expect(answer.status).toBe(400);
	expect(answer.data.message).toMatch(/^body is not supported: /);
});

test.each([
	['GET', '/v0/pages'],
	['DELETE', '/v0/persons'],
	['GET', '/v0/persons/'],
	['GET', '/v0/Persons'],
	['PUT', '/v0/accounts/account_1'],
	['GET', '/v1/persons'],
	['GET', '/persons'],
	['POST', '/v0/pages//audiences/a/restore'],
])('rejects the unknown endpoint %s %s', async (method, path) => {
	const answer = await call(sandbox, method, path);
	expect(answer.status).toBe(404);
	expect(answer.data.message).toBe(`Unknown endpoint: ${method} ${path}`);
});

/** Endpoints that name a record in their path. A session without records is an empty list there. */
const withRecord = Object.entries(loadDocument().paths ?? {}).flatMap(([template, item]) =>
	template.includes('{') && !template.endsWith('/interactions')
		? [item.get, item.post, item.patch, item.delete].flatMap((operation) =>
				operation?.operationId ? [{ operationId: operation.operationId, template }] : [],
			)
		: [],
);

test.each(withRecord)(
	'rejects an unknown record: $operationId',
	async ({ operationId, template }) => {
		const { method, status: _, ...sent } = get(operationId);
		const path = template.replace(/\{(\w+)_id\}/g, '$1_none');
		const answer = await call(sandbox, method, path, sent);
		expect(answer.status).toBe(404);
		expect(answer.data.message).toMatch(/^[A-Z][a-z ]+ '\w+_none' was not found$/);
	},
);

test('finds an audience only under its own page', async () => {
	const [page, other] = sandbox.store.pages.all();
	const { audienceId } = sandbox.store.audiences.of(page.pageId)[0];
	const path = `/v0/pages/${other.pageId}/audiences/${audienceId}/versions`;
	expect((await call(sandbox, 'GET', path)).status).toBe(404);
});
