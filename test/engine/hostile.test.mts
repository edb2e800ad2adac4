import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { findCase, operationNames } from './cases/index.mts';
import { unexpectedWords } from './engine.mts';
import { runOffline } from './offline.mts';
import { openStage } from './stage.mts';

const { sandbox } = openStage();

/** Values of other types than a field expects, and texts that try to leave their segment of a path. */
const hostileValues: unknown[] = [
	...[0, -1, 1e21, true, false, null, '', ' ', 'null', '[]', '{}', 'a,b', '["a"'],
	...[[], {}, [[]], ['a'], [{ a: 1 }], { a: 1 }, { toString: 1 }, { value: { value: 'a' } }],
	...['__proto__', 'constructor', 'toString', '😀'.repeat(300), 'x'.repeat(50_000), { length: 3 }],
	...['..', '.', '../..', '../../persons', '%2e%2e', '%2E%2E/persons', '..%2f..%2fpersons', 'a/b'],
	...['/', '\\..\\persons', 'a?limit=1', '?', '#', 'a#b', 'a;b=c', '//other.example/'],
	...['@a.example', 'http://other.example/v0/persons', 'a b', '\t\n', '\ud83d', '\udc00x'],
	...['a\u0000b', '..\u200b', 'a\r\nx-evil: 1', 'ａ'],
];

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
