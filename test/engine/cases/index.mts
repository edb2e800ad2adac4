import type { INodeParameters } from 'n8n-workflow';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import type { RecordedRequest, Sandbox } from '../../../sandbox/index.mts';
import { operations } from '../../../tools/docs/parameters.mts';
import { audiences } from './audiences.mts';
import { describeValues, type Values } from './case.mts';
import { contacts } from './contacts.mts';
import { pages } from './pages.mts';
import { requestLimits } from '../../groups.mts';

/*
 * The one table of operations: the engine tests, the pass in a real n8n and the sandbox's own test are made from it.
 */
const definitions = [...contacts, ...pages, ...audiences];

/** Every operation of one endpoint as `resource.operation`. */
export const operationNames = definitions.map(({ operation }) => operation);

/** The operations of one endpoint that have an option. */
export const operationsWith = (option: string): string[] =>
	operationNames.filter((name) =>
		operations
			.find((each) => each.name === name)
			?.operation.properties.filter((each) => each.name === 'options')
			.some(({ options }) => options?.some((each) => each.name === option)),
	);

/** A row with the IDs of one sandbox, for two items. */
export function findCase(sandbox: Sandbox, operation: string) {
	const found = definitions.find((each) => each.operation === operation);
	if (!found) throw new Error(`There is no case for ${operation}`);
	const { sends, adds, parameters: own } = found;
	const [resource, name] = operation.split('.');
	const options = { ...requestLimits({ concurrency: 1 }), ...(own.options as INodeParameters) };
	const parameters: INodeParameters = { resource, operation: name, ...own, options };
	const twice = <T,>(make: (values: Values) => T): [T, T] => [
		make(describeValues(sandbox, 0)),
		make(describeValues(sandbox, 1)),
	];
	return {
		operation,
		parameters,
		items: twice((values) => ({ ...values })),
		sends: twice(sends),
		adds: twice((values) => adds?.(values)),
	};
}

export type Case = ReturnType<typeof findCase>;

/** One case for each operation of one endpoint. */
export const describeCases = (sandbox: Sandbox): Case[] =>
	operationNames.map((name) => findCase(sandbox, name));

/** A request as a case describes it. */
export const describeSent = ({ method, path, rawQuery, rawBody }: RecordedRequest) => ({
	request: `${method} ${path}`,
	...(rawQuery && { query: rawQuery }),
	...(rawBody && { body: JSON.parse(rawBody) as object }),
});

// Made once, because making its records takes longer than a run.
let inProcess: SandboxInProcess | undefined;

/** What the service responds to the requests of a case. */
export function answerInProcess({ sends }: Case) {
	const sandbox = (inProcess ??= new SandboxInProcess());
	sandbox.store.reset();
	return sends.map(({ request, query = '', body }) => {
		const [method, path] = request.split(' ');
		const asked = { method, path, query: Object.fromEntries(new URLSearchParams(query)), body };
		return withoutToday(sandbox.answer(asked));
	});
}

/** The records that each item outputs. */
export function expectRecords(each: Case): object[][] {
	return answerInProcess(each).map(({ body }, item) => {
		const { items, interactions }: { items?: object[]; interactions?: object[] } = body;
		const records = Array.isArray(body) ? (body as object[]) : (items ?? interactions ?? [body]);
		return records.map((record) => ({ ...record, ...each.adds[item] }));
	});
}

/** Moments of today are those of the requests. */
export function withoutToday<T>(value: T): T {
	const today = new RegExp(`"${new Date().toISOString().slice(0, 10)}[^"]+"`, 'g');
	return JSON.parse(JSON.stringify(value).replace(today, '"today"')) as T;
}
