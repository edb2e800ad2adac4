import { setTimeout as wait } from 'node:timers/promises';
import express, {
	type ErrorRequestHandler,
	type Express,
	type Request,
	type RequestHandler,
	type Response,
} from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { createControl } from './control.mts';
import { loadForValidator } from './document.mts';
import { ApiError, invalidRequest, toApiError } from './errors.mts';
import type { FaultPlan } from './faults.mts';
import { injectIntoResponse } from './injection.mts';
import { doWork, findOperation, listOperations, type ServedOperation } from './operations.mts';
import type { SandboxParts } from './parts.mts';
import type { RecordedRequest } from './recorder.mts';

/** What is known about a request under /v0. */
interface Context {
	/** Undefined for an unknown endpoint. */
	operation: ServedOperation | undefined;
	record: RecordedRequest;
	faults: FaultPlan;
}

const contexts = new WeakMap<Response, Context>();

function contextOf(response: Response): Context {
	const context = contexts.get(response);
	if (!context) throw unknownEndpoint(response);
	return context;
}

function operationOf(response: Response): ServedOperation {
	const { operation } = contextOf(response);
	if (!operation) throw unknownEndpoint(response);
	return operation;
}

const unknownEndpoint = ({ req: { method, originalUrl } }: Response): ApiError =>
	new ApiError(404, 'unknown_endpoint', `Unknown endpoint: ${method} ${originalUrl}`);

/** Serves the API under /v0, the page, and the control routes. */
export function createApp(parts: SandboxParts): Express {
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.get('/', (_request, response) => {
		response.sendFile('page.html', { root: import.meta.dirname });
	});
	app.use('/sandbox', createControl(parts));
	// The whole body, whatever its content type. No realistic record is longer.
	const readBody = express.raw({ type: () => true, limit: '10mb' });
	app.use('/v0', recordRequest(parts), readBody, recordBody, injectBeforeWork(parts));
	app.use(
		parseBody,
		OpenApiValidator.middleware({
			apiSpec: loadForValidator(),
			// A test validates the document once. Doing it here would slow down every start.
			validateApiSpec: false,
			validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
			validateResponses: parts.validateResponses && { allErrors: true },
			validateSecurity: { handlers: { apiKey: checkApiKey(parts.apiKey) } },
			ajvFormats: { mode: 'full' },
			fileUploader: false,
		}),
		callEndpoint(parts),
	);
	app.use(sendError);
	return app;
}

/** Comes first, so that rejected requests are recorded too and can meet faults. */
function recordRequest({ recorder, faults }: SandboxParts): RequestHandler {
	const operations = listOperations();
	return (request, response, next) => {
		const [path] = request.originalUrl.split('?');
		const { method } = request;
		const operation = findOperation(operations, method, path);
		const record = recorder.start(request, operation?.operationId);
		const plan = faults.take({ operationId: operation?.operationId, method, path });
		if (plan.kinds.length > 0) record.fault = plan.kinds.join('+');
		contexts.set(response, { operation, record, faults: plan });
		injectIntoResponse(response, plan.action, (status) => recorder.end(record, status));
		response.on('close', () => recorder.end(record, undefined));
		next();
	};
}

const recordBody: RequestHandler = (request, response, next) => {
	const { record } = contextOf(response);
	record.rawBody = Buffer.isBuffer(request.body) ? request.body.toString() : '';
	record.body = parseIfJson(record.rawBody);
	next();
};

function parseIfJson(rawBody: string): unknown {
	if (rawBody === '') return undefined;
	try {
		return JSON.parse(rawBody);
	} catch {
		return rawBody;
	}
}

/** Waits, then runs the faults that replace the endpoint's work. */
const injectBeforeWork =
	({ settings }: SandboxParts): RequestHandler =>
	async (_request, response, next) => {
		const { latencyMs, action } = contextOf(response).faults;
		const waitMs = latencyMs + settings.latencyMs;
		// Without `ref: false` the wait would keep the process alive after the sandbox closes.
		if (waitMs > 0) await wait(waitMs, undefined, { ref: false });
		if (action?.kind === 'resetBefore') response.socket?.resetAndDestroy();
		else if (action?.kind === 'status' && !action.afterWork) response.send();
		else next();
	};

/** Parses the body where the document has one, and rejects it elsewhere. */
const parseBody: RequestHandler = (request, response, next) => {
	const { takesBody, method, path } = operationOf(response);
	const { rawBody } = contextOf(response).record;
	request.body = undefined;
	if (rawBody !== '' && !takesBody) {
		throw invalidRequest(`body is not supported: ${method} ${path} takes no body`);
	}
	if (rawBody !== '' && request.is('application/json')) {
		try {
			request.body = JSON.parse(rawBody);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw invalidRequest(`body must be valid JSON: ${reason}`);
		}
	}
	next();
};

const checkApiKey =
	(apiKey: string) =>
	({ headers }: Request): boolean => {
		if (headers['x-api-key'] === apiKey) return true;
		throw new Error("The API key in 'x-api-key' is invalid");
	};

const callEndpoint =
	({ store, guesses }: SandboxParts): RequestHandler =>
	({ query, body }, response) => {
		const rawPath = contextOf(response).record.path;
		const work = { store, guesses, rawPath, query, body: body as unknown };
		const reply = doWork(operationOf(response), work);
		if (guesses.rateLimitHeaders === 'sent') {
			response.set({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99' });
		}
		response.status(reply.status).json(reply.body);
	};

/** Express recognizes an error handler by its four parameters. */
const sendError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
	const { status, body } = toApiError(error);
	response.status(status).json(body);
};
