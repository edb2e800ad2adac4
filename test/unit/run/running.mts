import {
	ApplicationError,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	NodeHelpers,
} from 'n8n-workflow';
import { EntryDatabase } from '../../entryDatabase.mts';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';

const { description, execute } = new PageAudience();

export interface Reply {
	status?: number;
	headers?: IDataObject;
	body?: unknown;
	/** The code of a lost connection. */
	lost?: string;
}

export interface Request {
	method: string;
	/** Path and query. */
	url: string;
	body?: unknown;
}

export interface Situation {
	/** The node's parameters, with expressions resolved. What is left out has its default. */
	parameters: (json: IDataObject, item: number) => INodeParameters;
	items: IDataObject[];
	/** What the service sends, for the request and the number of requests before it. */
	reply?: (request: Request, sent: number) => Reply | Promise<Reply>;
	continues?: boolean;
	asTool?: boolean;
	settings?: Partial<INode>;
	signal?: AbortSignal;
	/** Called before a parameter is read. */
	beforeRead?: (name: string, item: number) => void;
	/** What the node keeps for n8n's next run of it. */
	stored?: IDataObject;
	executionId?: string;
	/** Receives what the node writes into n8n's log. */
	log?: (line: string) => void;
	baseUrl?: string;
	apiKey?: string;
	/** n8n's database of processed entries. */
	entries?: EntryDatabase;
}

export interface RunOutcome {
	output: INodeExecutionData[];
	/** The output items' content. */
	json: IDataObject[];
	error?: Error & { description?: string; context?: IDataObject };
	hints: string[];
	requests: Request[];
	stored: IDataObject;
}

/** Runs the node without n8n's engine, which starts too slowly for many small tests. */
export async function runNode(situation: Situation): Promise<RunOutcome> {
	const { items, stored = {} } = situation;
	const hints: string[] = [];
	const requests: Request[] = [];
	const node: INode = {
		id: '1',
		name: 'Page Audience',
		type: situation.asTool ? 'pageAudienceTool' : 'pageAudience',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...situation.settings,
	};
	// n8n knows a tool by the name of its type as well.
	const type = situation.asTool ? { ...description, name: 'pageAudienceTool' } : description;
	const known = new Map<number, INodeParameters | null>();
	const parametersOf = (item: number): INodeParameters | null => {
		const given = () => situation.parameters(items[item], item);
		const { properties } = description;
		if (!known.has(item))
			known.set(item, NodeHelpers.getNodeParameters(properties, given(), true, false, node, type));
		return known.get(item) ?? null;
	};
	const context: Partial<IExecuteFunctions> = {
		getInputData: () => items.map((json) => ({ json })),
		getNode: () => node,
		getNodeParameter: ((name: string, item: number, fallback?: unknown) => {
			situation.beforeRead?.(name, item);
			return parametersOf(item)?.[name] ?? fallback;
		}) as IExecuteFunctions['getNodeParameter'],
		logger: { info: (line: string) => situation.log?.(line) } as IExecuteFunctions['logger'],
		getMode: () => 'manual',
		getTimezone: () => 'UTC',
		continueOnFail: () => situation.continues ?? false,
		getExecutionCancelSignal: () => situation.signal,
		getExecutionContext: () => ({ establishedAt: 1 }) as never,
		getExecutionId: () => situation.executionId ?? '1',
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow', active: false }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }) as never,
		getContext: () => stored,
		addExecutionHints: (...added) => hints.push(...added.map(({ message }) => message)),
		getCredentials: async <T,>() =>
			await Promise.resolve({
				baseUrl: situation.baseUrl ?? 'https://api.example.com',
				apiKey: situation.apiKey ?? 'key',
			} as T),
		helpers: {
			...openEntries(situation.entries ?? new EntryDatabase(), node),
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
				const body: unknown =
					typeof options.body === 'string' ? JSON.parse(options.body) : undefined;
				const url = options.url.replace('https://api.example.com', '');
				const request = { method: options.method ?? 'GET', url, body };
				requests.push(request);
				const reply = (await situation.reply?.(request, requests.length - 1)) ?? {};
				if (reply.lost) throw Object.assign(new ApplicationError('lost'), { code: reply.lost });
				const { status: statusCode = 200, headers = {} } = reply;
				return { statusCode, headers, body: reply.body ?? {} };
			},
		} as Partial<IExecuteFunctions['helpers']> as IExecuteFunctions['helpers'],
	};
	const ended = { hints, requests, stored };
	try {
		const [output] = await execute.call(context as IExecuteFunctions);
		return { output, json: output.map(({ json }) => json), ...ended };
	} catch (error) {
		return { output: [], json: [], error: error as RunOutcome['error'], ...ended };
	}
}

type EntryHelpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'clearAllProcessedItems' | 'getProcessedDataCount'
>;

function openEntries(database: EntryDatabase, node: INode): EntryHelpers {
	const context = { workflow: { id: 'workflow', active: false }, node };
	return {
		checkProcessedAndRecord: async (values, scope) =>
			await database.checkProcessedAndRecord(values, scope, context),
		removeProcessed: async (values, scope) =>
			await database.removeProcessed(values, scope, context),
		clearAllProcessedItems: async (scope) => await database.clearAllProcessedItems(scope, context),
		getProcessedDataCount: async (scope) => await database.getProcessedDataCount(scope, context),
	};
}
