import { invalidRequest } from '../api/errors.mts';
import type { Fault } from '../faults/fault.mts';
import { eventKinds, type EventKind } from '../records/index.mts';

type Members = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Members =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isPositiveCount: Check = (value) => isCount(value) && value !== 0;
const isStatus: Check = (value) => isCount(value) && Number(value) >= 200 && Number(value) <= 599;
const isHeaders: Check = (value) => isObject(value) && Object.values(value).every(isText);
const isAnything: Check = () => true;

/** A `?` marks an optional member. */
const targetChecks: Record<string, Check> = {
	'operationId?': isText,
	'method?': isText,
	'path?': isText,
	'pathPattern?': isText,
	// JSON has no Infinity, so null means unlimited.
	'times?': (value) => value === null || isPositiveCount(value),
	'skip?': isCount,
};

const kindChecks: Record<Fault['kind'], Record<string, Check>> = {
	status: { status: isStatus, 'headers?': isHeaders, 'body?': isAnything, 'afterWork?': isBoolean },
	latency: { ms: isCount },
	resetBefore: {},
	resetAfter: {},
	cutBody: {},
	answer: { 'status?': isStatus, 'headers?': isHeaders, body: isAnything },
	rateLimit: { requests: isCount, perMs: isPositiveCount, 'retryAfter?': isText },
};

function checkMembers(value: unknown, checks: Record<string, Check>): asserts value is Members {
	if (!isObject(value)) throw invalidRequest('body must be a JSON object');
	const names = Object.keys(checks).map((name) => name.replace('?', ''));
	const unknown = Object.keys(value).find((name) => !names.includes(name));
	if (unknown !== undefined) {
		throw invalidRequest(`body/${unknown} is not supported here. Use: ${names.join(', ')}`);
	}
	for (const [name, isValid] of Object.entries(checks)) {
		const member = value[name.replace('?', '')];
		if (member === undefined && name.endsWith('?')) continue;
		if (member === undefined) throw invalidRequest(`body/${name} is required`);
		if (!isValid(member)) throw invalidRequest(`body/${name.replace('?', '')} is invalid`);
	}
}

const isFaultKind = (kind: unknown): kind is Fault['kind'] =>
	typeof kind === 'string' && Object.hasOwn(kindChecks, kind);

export function readFault(body: unknown): Fault {
	const kind = isObject(body) ? body.kind : undefined;
	if (!isFaultKind(kind)) {
		throw invalidRequest(`body/kind must be one of ${Object.keys(kindChecks).join(', ')}`);
	}
	checkMembers(body, { kind: isText, ...targetChecks, ...kindChecks[kind] });
	const { pathPattern, times, ...rest } = body;
	return {
		...rest,
		...(typeof pathPattern === 'string' ? { path: readPattern(pathPattern) } : {}),
		...(times === undefined ? {} : { times: times ?? Infinity }),
	} as Fault;
}

function readPattern(pattern: string): RegExp {
	try {
		return new RegExp(pattern);
	} catch {
		throw invalidRequest('body/pathPattern must be a regular expression');
	}
}

const isEventKind = (kind: unknown): kind is EventKind =>
	eventKinds.some((known) => known === kind);

export function readEvent(body: unknown): { kind: EventKind; data?: Members } {
	checkMembers(body, { kind: isText, 'data?': isObject });
	const { kind, data } = body;
	if (!isEventKind(kind)) {
		throw invalidRequest(`body/kind must be one of ${eventKinds.join(', ')}`);
	}
	return isObject(data) ? { kind, data } : { kind };
}

export function readSettings(body: unknown): { latencyMs?: number; peakInFlight?: number } {
	checkMembers(body, { 'latencyMs?': isCount, 'peakInFlight?': isCount });
	return body;
}
