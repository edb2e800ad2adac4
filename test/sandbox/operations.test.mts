import { areTypesCurrent } from '../../tools/sandboxTypes.mts';
import { answerInProcess, findCase, operationNames, withoutToday } from '../engine/cases/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

// If it fails, run npm run lint:fix.
test('the types are those of the document', () => {
	expect(areTypesCurrent()).toBe(true);
});

// The sandbox validates each response against the document. If one is invalid, it responds 500.
test.each(operationNames)(
	'%s is served as documented, and in the same way in process',
	async (operation) => {
		const each = findCase(sandbox, operation);
		const inProcess = answerInProcess(each);
		for (const [item, { request, query = '', body }] of each.sends.entries()) {
			const [method, path] = request.split(' ');
			const { status, data } = await call(sandbox, method, `${path}?${query}`, body);
			expect(status).toBe(status === 201 ? 201 : 200);
			expect({ status, body: withoutToday(data) }).toEqual(inProcess[item]);
		}
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
	const response = await call(sandbox, method, path, body);
	expect([response.status, response.data.message]).toEqual([
		status,
		expect.stringMatching(message),
	]);
});

test('cannot return what is not documented', async () => {
	Object.assign(sandbox.store.persons.all()[0], { score: 1 });
	const { status, data } = await call(sandbox, 'GET', '/v0/persons');
	expect([status, data.message]).toEqual([500, expect.stringContaining('additional properties')]);
});
