import { setTimeout as wait } from 'node:timers/promises';
import express, { type RequestHandler } from 'express';
import { injectIntoResponse } from '../faults/injection.mts';
import { maximumBodySize } from '../guesses.mts';
import type { Service } from './app.mts';
import { findContext, getContext, setContext } from './context.mts';
import { findOperation, type Operation } from './document.mts';
import { ApiError, invalidRequest } from './errors.mts';

/** Comes first, so that rejected requests are recorded too and can meet faults. */
export const recordRequest =
	(operations: Operation[], { recorder, faults }: Service): RequestHandler =>
	(request, response, next) => {
		const path = request.originalUrl.split('?')[0];
		const { method } = request;
		const operation = findOperation(operations, method, path);
		const record = recorder.start(request, operation?.operationId);
		const plan = faults.take({ operationId: operation?.operationId, method, path });
		if (plan.kinds.length > 0) record.fault = plan.kinds.join('+');
		setContext(response, { operation, record, faults: plan });
		injectIntoResponse(response, plan.action, (status) => recorder.end(record, status));
		response.on('close', () => recorder.end(record, undefined));
		next();
	};

/** Reads the whole body unparsed, whatever its content type. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: maximumBodySize });

function parseIfJson(rawBody: string): unknown {
	if (rawBody === '') return undefined;
	try {
		return JSON.parse(rawBody);
	} catch {
		return rawBody;
	}
}

export const recordBody: RequestHandler = (request, response, next) => {
	const { record } = getContext(response);
	record.rawBody = Buffer.isBuffer(request.body) ? request.body.toString() : '';
	record.body = parseIfJson(record.rawBody);
	next();
};

/** Waits, then runs the faults that replace the endpoint's work. */
export const injectBeforeWork =
	({ settings }: Service): RequestHandler =>
	async (_request, response, next) => {
		const { latencyMs, action } = getContext(response).faults;
		const waitMs = latencyMs + settings.latencyMs;
		// Without `ref: false` the wait would keep the process alive after the sandbox closes.
		if (waitMs > 0) await wait(waitMs, undefined, { ref: false });
		if (action?.kind === 'resetBefore') response.socket?.resetAndDestroy();
		else if (action?.kind === 'status' && !action.afterWork) response.send();
		else next();
	};

export const requireEndpoint: RequestHandler = ({ method, originalUrl }, response, next) => {
	if (!findContext(response)?.operation) {
		throw new ApiError(404, 'unknown_endpoint', `Unknown endpoint: ${method} ${originalUrl}`);
	}
	next();
};

/** Parses the body where the document has one, and rejects it elsewhere. */
export const parseBody: RequestHandler = (request, response, next) => {
	const { operation, record } = getContext(response);
	request.body = undefined;
	if (record.rawBody !== '' && operation?.takesBody === false) {
		throw invalidRequest(
			`body is not supported: ${operation.method} ${operation.path} takes no body`,
		);
	}
	if (record.rawBody !== '' && request.is('application/json')) {
		try {
			request.body = JSON.parse(record.rawBody);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw invalidRequest(`body must be valid JSON: ${reason}`);
		}
	}
	next();
};
