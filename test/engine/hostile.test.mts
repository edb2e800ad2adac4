import type { IDataObject } from 'n8n-workflow';
import { findCase, operationNames } from './cases/index.mts';
import { unexpectedWords } from './engine.mts';
import { runOffline } from './offline.mts';
import { setUpActionNode } from './actionNodeSetup.mts';

const { sandbox } = setUpActionNode();

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

test.each(operationNames)('%s sends any value of any field to its own path', async (operation) => {
	const { parameters, items, sends } = findCase(sandbox, operation);
	const [usual] = items;
	const fields = new Set(JSON.stringify(parameters).match(/(?<=\$json\.)\w+/g));
	const odd = [...fields].flatMap((name) =>
		hostileValues.map((value) => ({ ...usual, [name]: value }) as IDataObject),
	);
	// All of them fail, because the service knows no record.
	const { output, exchanges } = await runOffline({
		answer: () => ({ status: 404, body: {} }),
		// As many at once as usual.
		parameters: { ...parameters, options: { ...(parameters.options as object), requests: {} } },
		items: [usual, ...odd],
		onError: 'continueRegularOutput',
	});
	expect(output).toHaveLength(1 + odd.length);
	for (const { json } of output) {
		expect(json.error).not.toMatch(unexpectedWords);
		expect(String(json.error).length).toBeLessThan(1_000);
	}
	const [method, path] = sends[0].request.split(' ');
	const segments = path.split('/');
	const texts = [...hostileValues, ...Object.values(usual)].map((value) =>
		typeof value === 'string' ? value.trim() : JSON.stringify(value),
	);
	expect(exchanges.length).toBeGreaterThan(0);
	for (const { request } of exchanges) {
		const sent = request.path.split('/');
		expect([request.method, sent.length, sent[2]]).toEqual([method, segments.length, segments[2]]);
		for (const segment of sent)
			expect([...segments, ...texts]).toContain(decodeURIComponent(segment));
	}
});
