import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { findCase, operationNames } from './cases/index.mts';
import { hostileValues, unexpectedWords } from './hostile.mts';
import { runOffline } from './offline.mts';
import { openStage } from './stage.mts';

const { sandbox } = openStage();

/** Runs items that all fail, because the service knows no record: their messages, and the paths of their requests. */
async function run(parameters: INodeParameters, items: IDataObject[]) {
	const { output, exchanges, error } = await runOffline({
		answer: () => ({ status: 404, body: {} }),
		parameters,
		items,
		onError: 'continueRegularOutput',
	});
	return {
		told: [...output.map(({ json }) => String(json.error)), ...(error ? [error.message] : [])],
		requests: exchanges.map(({ request: { method, path } }) => `${method} ${path}`),
		bodies: exchanges.map(({ request }) => String(request.data)),
	};
}

/** The fields of the input item that expressions in the parameters read. */
function listReferences(parameters: INodeParameters): string[] {
	const found = JSON.stringify(parameters).matchAll(/\$json\.(\w+)/g);
	return [...new Set([...found].map(([, name]) => name))];
}

test.each(operationNames)('%s sends any value of any field to its own path', async (operation) => {
	const { parameters, items, sends } = findCase(sandbox, operation);
	const [usual] = items;
	const odd = listReferences(parameters).flatMap((name) =>
		hostileValues.map((value) => ({ ...usual, [name]: value }) as IDataObject),
	);
	const { told, requests } = await run({ ...parameters, options: {} }, [usual, ...odd]);
	expect(told).toHaveLength(1 + odd.length);
	for (const message of told) {
		expect(message).not.toMatch(unexpectedWords);
		expect(message.length).toBeLessThan(1_000);
	}
	const [method, path] = sends[0].request.split(' ');
	const segments = path.split('/');
	const texts = [...hostileValues, ...Object.values(usual)].map((value) =>
		typeof value === 'string' ? value.trim() : JSON.stringify(value),
	);
	expect(requests.length).toBeGreaterThan(0);
	for (const request of requests) {
		const [sentMethod, ...sent] = request.split(/[ /]/);
		expect([sentMethod, sent.length, sent[2]]).toEqual([method, segments.length, segments[2]]);
		for (const segment of sent)
			expect([...segments, ...texts]).toContain(decodeURIComponent(segment));
	}
});

describe('names of built-in members of objects', () => {
	const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

	test('are ordinary members of JSON', async () => {
		const payload = `{${names.map((name) => `"${name}":{"polluted":true}`).join()}}`;
		const log = { resource: 'personLog', operation: 'create', source: 'test' };
		const parameters = { ...log, payloadMode: 'json', payload: '={{ $json.p }}' };
		const { bodies } = await run(parameters, [{ p: payload }, { p: payload }]);
		expect(bodies).toEqual([0, 1].map(() => expect.stringContaining(payload) as string));
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	test.each(names)('are no resource and no operation: %s', async (name) => {
		const { told, requests } = await run({ resource: name, operation: name }, [{}, {}]);
		expect(told.join()).toContain('does not exist');
		expect(requests).toEqual([]);
	});
});
