import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import * as arrival from './arrival.mts';
import {
	listOperations,
	loadDocument,
	permitNullCursors,
	permitPlainQueries,
} from './document.mts';
import type { Faults } from './faults.mts';
import { describeError, type Guesses } from './guesses.mts';
import type { Call, Handler, Query } from './operations/call.mts';
import { handlers } from './operations/index.mts';
import type { Recorder } from './recording.mts';
import { explain } from './refusal.mts';
import type { Store } from './store.mts';

export interface Service {
	apiKey: string;
	store: Store;
	guesses: Guesses;
	faults: Faults;
	recorder: Recorder;
	settings: { latencyMs: number };
	validateResponses: boolean;
}

/** The API by its document; `beside` answers what lies below other paths. */
export function createApp(service: Service, beside: Record<string, RequestHandler>): Express {
	const document = permitPlainQueries(loadDocument());
	if (service.guesses.endOfOptionalCursor === 'null') permitNullCursors(document);
	const operations = listOperations(document);
	const arrivals: arrival.Arrivals = new WeakMap();
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.enable('case sensitive routing');
	app.enable('strict routing');
	for (const [path, handle] of Object.entries(beside)) app.use(path, handle);
	app.use('/v0', arrival.recordArrival(arrivals, operations, service), arrival.readBody);
	app.use('/v0', arrival.recordBody(arrivals), arrival.meetFaults(arrivals, service));
	app.use(arrival.refuseUnknownEndpoint(arrivals), arrival.parseBody(arrivals));
	app.use(
		OpenApiValidator.middleware({
			apiSpec: document,
			// The tests do that once; here it would cost each start.
			validateApiSpec: false,
			validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
			validateResponses: service.validateResponses && { allErrors: true },
			validateSecurity: { handlers: { apiKey: checkKey(service.apiKey) } },
			ajvFormats: { mode: 'full' },
			fileUploader: false,
		}),
	);
	app.use(doWork(arrivals, service), answerError);
	return app;
}

const checkKey =
	(apiKey: string) =>
	({ headers }: express.Request): boolean => {
		if (headers['x-api-key'] === apiKey) return true;
		throw new Error("The key in 'x-api-key' is not the one of this sandbox");
	};

const doWork =
	(arrivals: arrival.Arrivals, { store, guesses }: Service): RequestHandler =>
	(request, response) => {
		const { operation, record } = arrival.getArrival(arrivals, request);
		if (!operation) throw new Error('An unknown endpoint was not refused');
		const call: Call<never> = {
			store,
			guesses,
			params: readParams(operation.path, record.path),
			query: request.query as Query,
			body: request.body as never,
		};
		const handle: Handler = handlers[operation.operationId];
		response.status(operation.successStatus).json(handle(call));
	};

function readParams(path: string, rawPath: string): Record<string, string> {
	const segments = rawPath.split('/');
	return Object.fromEntries(
		path
			.split('/')
			.flatMap((part, index) =>
				part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(segments[index])]] : [],
			),
	);
}

/** Express tells error handlers from others by their four parameters. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
	const refusal = explain(error);
	response.status(refusal.status).json(describeError(refusal));
};
