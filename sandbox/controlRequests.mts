import type { Fault } from './faults.mts';
import { eventKinds, type EventKind } from './records.mts';
import { breach } from './refusal.mts';

type Members = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const isMembers = (value: unknown): value is Members =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isMoreThanNone: Check = (value) => isCount(value) && value !== 0;
const isStatus: Check = (value) => isCount(value) && Number(value) >= 200 && Number(value) <= 599;
const isHeaders: Check = (value) => isMembers(value) && Object.values(value).every(isText);
const isAnything: Check = () => true;

/** `?` marks what may be left out. */
const targetChecks: Record<string, Check> = {
	'operationId?': isText,
	'method?': isText,
	'path?': isText,
	'pathPattern?': isText,
	// JSON has no Infinity; null stands for it.
	'times?': (value) => value === null || isMoreThanNone(value),
	'skip?': isCount,
};

const kindChecks: Record<Fault['kind'], Record<string, Check>> = {
	status: {
		status: isStatus,
		'headers?': isHeaders,
		'body?': isAnything,
		'afterWork?': (value) => typeof value === 'boolean',
	},
	latency: { ms: isCount },
	resetBefore: {},
	resetAfter: {},
	cutBody: {},
	answer: { 'status?': isStatus, 'headers?': isHeaders, body: isAnything },
	rateLimit: { requests: isCount, perMs: isMoreThanNone, 'retryAfter?': isText },
};

function check(value: unknown, checks: Record<string, Check>): asserts value is Members {
	if (!isMembers(value)) throw breach('body must be a JSON object');
	const names = Object.keys(checks).map((name) => name.replace('?', ''));
	const unknown = Object.keys(value).find((name) => !names.includes(name));
	if (unknown !== undefined) throw breach(`body/${unknown} is not one of ${names.join(', ')}`);
	for (const [name, isFit] of Object.entries(checks)) {
		const member = value[name.replace('?', '')];
		if (member === undefined && name.endsWith('?')) continue;
		if (member === undefined) throw breach(`body/${name} is missing`);
		if (!isFit(member)) throw breach(`body/${name.replace('?', '')} has the wrong form`);
	}
}

const isKind = (kind: unknown): kind is Fault['kind'] =>
	typeof kind === 'string' && Object.hasOwn(kindChecks, kind);

export function readFault(body: unknown): Fault {
	const kind = isMembers(body) ? body.kind : undefined;
	if (!isKind(kind)) throw breach(`body/kind is not one of ${Object.keys(kindChecks).join(', ')}`);
	check(body, { kind: isText, ...targetChecks, ...kindChecks[kind] });
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
		throw breach('body/pathPattern is not a regular expression');
	}
}

const isEventKind = (kind: unknown): kind is EventKind =>
	eventKinds.some((known) => known === kind);

export function readEvent(body: unknown): { kind: EventKind; data: Members } {
	check(body, { kind: isText, 'data?': isMembers });
	if (!isEventKind(body.kind)) throw breach(`body/kind is not one of ${eventKinds.join(', ')}`);
	return { kind: body.kind, data: isMembers(body.data) ? body.data : {} };
}

export function readSettings(body: unknown): { latencyMs?: number; peakInFlight?: number } {
	check(body, { 'latencyMs?': isCount, 'peakInFlight?': isCount });
	return body;
}
