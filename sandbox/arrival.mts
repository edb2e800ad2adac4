import { setTimeout as wait } from 'node:timers/promises';
import express, { type Request, type RequestHandler } from 'express';
import { interceptAnswer } from './answering.mts';
import { findOperation, type Operation } from './document.mts';
import type { Plan } from './faults.mts';
import { maximumBodySize } from './guesses.mts';
import type { RecordedRequest } from './recording.mts';
import { breach, Refusal } from './refusal.mts';
import type { Service } from './server.mts';

export interface Arrival {
	operation: Operation | undefined;
	record: RecordedRequest;
	plan: Plan;
}

/** What is known of the requests under way. */
export type Arrivals = WeakMap<Request, Arrival>;

export function getArrival(arrivals: Arrivals, request: Request): Arrival {
	const arrival = arrivals.get(request);
	if (!arrival) throw new Error('A request was not recorded');
	return arrival;
}

/** Records a request and draws its faults, before anything can refuse it. */
export const recordArrival =
	(arrivals: Arrivals, operations: Operation[], { recorder, faults }: Service): RequestHandler =>
	(request, response, next) => {
		const path = request.originalUrl.split('?')[0];
		const { method } = request;
		const operation = findOperation(operations, method, path);
		const record = recorder.start(request, operation?.operationId);
		const plan = faults.take({ operationId: operation?.operationId, method, path });
		if (plan.kinds.length > 0) record.fault = plan.kinds.join('+');
		arrivals.set(request, { operation, record, plan });
		interceptAnswer(response, plan.action, (status) => recorder.end(record, status));
		response.on('close', () => recorder.end(record, undefined));
		next();
	};

/** Reads the whole body as it is, of whatever type it says to be. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: maximumBodySize });

function parseRecorded(rawBody: string): unknown {
	if (rawBody === '') return undefined;
	try {
		return JSON.parse(rawBody);
	} catch {
		return rawBody;
	}
}

export const recordBody =
	(arrivals: Arrivals): RequestHandler =>
	(request, _response, next) => {
		const { record } = getArrival(arrivals, request);
		record.rawBody = Buffer.isBuffer(request.body) ? request.body.toString() : '';
		record.body = parseRecorded(record.rawBody);
		next();
	};

/** Waits, and lets the faults happen that spare the work. */
export const meetFaults =
	(arrivals: Arrivals, { settings }: Service): RequestHandler =>
	async (request, response, next) => {
		const { plan } = getArrival(arrivals, request);
		const waitMs = plan.latencyMs + settings.latencyMs;
		// Without `ref` a wait does not keep the process of a closed sandbox alive.
		if (waitMs > 0) await wait(waitMs, undefined, { ref: false });
		const { action } = plan;
		if (action?.kind === 'resetBefore') response.socket?.resetAndDestroy();
		else if (action?.kind === 'status' && !action.afterWork) response.send();
		else next();
	};

export const refuseUnknownEndpoint =
	(arrivals: Arrivals): RequestHandler =>
	(request, _response, next) => {
		if (arrivals.get(request)?.operation) next();
		else
			throw new Refusal(
				404,
				'unknown_endpoint',
				`There is no ${request.method} ${request.originalUrl}`,
			);
	};

/** A body is parsed where one is documented, and refused elsewhere. */
export const parseBody =
	(arrivals: Arrivals): RequestHandler =>
	(request, _response, next) => {
		const { operation, record } = getArrival(arrivals, request);
		request.body = undefined;
		if (record.rawBody !== '' && operation?.takesBody === false) {
			throw breach(`body must not be sent: ${operation.method} ${operation.path} takes none`);
		}
		if (record.rawBody !== '' && request.is('application/json')) {
			try {
				request.body = JSON.parse(record.rawBody);
			} catch (error) {
				throw breach(
					`body must be JSON: ${error instanceof Error ? error.message : String(error)}`,
				);
			}
		}
		next();
	};
