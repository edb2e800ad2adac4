import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Query } from '../endpoints/call.mts';
import type { Faults } from '../faults/faults.mts';
import { writeErrorBody, type Guesses } from '../guesses.mts';
import type { Store } from '../store/store.mts';
import { getContext } from './context.mts';
import { allowGuesses, allowPlainQueries, listOperations, loadDocument } from './document.mts';
import { toApiError } from './errors.mts';
import * as middleware from './middleware.mts';
import type { Recorder } from './recorder.mts';
import { doWork } from './work.mts';

export interface Service {
	apiKey: string;
	store: Store;
	guesses: Guesses;
	faults: Faults;
	recorder: Recorder;
	settings: { latencyMs: number };
	validateResponses: boolean;
}

/** Serves the API under /v0, and other routes by their paths. */
export function createApp(service: Service, otherRoutes: Record<string, RequestHandler>): Express {
	const document = allowPlainQueries(loadDocument());
	const operations = listOperations(document);
	allowGuesses(document);
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.enable('case sensitive routing');
	app.enable('strict routing');
	for (const [path, handle] of Object.entries(otherRoutes)) app.use(path, handle);
	app.use('/v0', middleware.recordRequest(operations, service), middleware.readBody);
	app.use('/v0', middleware.recordBody, middleware.injectBeforeWork(service));
	app.use(middleware.requireEndpoint, middleware.parseBody);
	app.use(
		OpenApiValidator.middleware({
			apiSpec: document,
			// A test validates the document once. Doing it here would slow down every start.
			validateApiSpec: false,
			validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
			validateResponses: service.validateResponses && { allErrors: true },
			validateSecurity: { handlers: { apiKey: checkApiKey(service.apiKey) } },
			ajvFormats: { mode: 'full' },
			fileUploader: false,
		}),
	);
	app.use(callEndpoint(service), sendError);
	return app;
}

const checkApiKey =
	(apiKey: string) =>
	({ headers }: express.Request): boolean => {
		if (headers['x-api-key'] === apiKey) return true;
		throw new Error("The API key in 'x-api-key' is invalid");
	};

const callEndpoint =
	({ store, guesses }: Service): RequestHandler =>
	(request, response) => {
		const { operation, record } = getContext(response);
		if (!operation) throw new Error('An unknown endpoint was not rejected');
		const { status, body } = doWork({
			store,
			guesses,
			operation,
			rawPath: record.path,
			query: request.query as Query,
			body: request.body as unknown,
		});
		response.status(status).json(body);
	};

/** Express recognizes an error handler by its four parameters. */
const sendError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
	const apiError = toApiError(error);
	response.status(apiError.status).json(writeErrorBody(apiError));
};
