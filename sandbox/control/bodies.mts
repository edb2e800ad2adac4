import { invalidRequest } from '../api/errors.mts';
import type { Fault } from '../faults/fault.mts';
import { guessChoices, type Guesses } from '../guesses.mts';
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

function checkMembers(
	value: unknown,
	checks: Record<string, Check>,
	at = 'body',
): asserts value is Members {
	if (!isObject(value)) throw invalidRequest(`${at} must be a JSON object`);
	const names = Object.keys(checks).map((name) => name.replace('?', ''));
	const unknown = Object.keys(value).find((name) => !names.includes(name));
	if (unknown !== undefined) {
		throw invalidRequest(`${at}/${unknown} is not supported here. Use: ${names.join(', ')}`);
	}
	for (const [name, isValid] of Object.entries(checks)) {
		const member = value[name.replace('?', '')];
		if (member === undefined && name.endsWith('?')) continue;
		if (member === undefined) throw invalidRequest(`${at}/${name} is required`);
		if (!isValid(member)) throw invalidRequest(`${at}/${name.replace('?', '')} is invalid`);
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

const choicesOf: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(guessChoices));

const guessChecks: Record<string, Check> = {
	'defaultLimit?': isPositiveCount,
	'maximumLimit?': isPositiveCount,
	'deliveryTimeoutMs?': isPositiveCount,
	'searchLagMs?': isCount,
	'personSearchShortest?': isCount,
	'personSearchMost?': isCount,
	'listLagMs?': isCount,
	...Object.fromEntries([...choicesOf.keys()].map((name) => [`${name}?`, isAnything])),
};

function readGuesses(guesses: unknown): Partial<Guesses> {
	checkMembers(guesses, guessChecks, 'body/guesses');
	for (const [name, guess] of Object.entries(guesses)) {
		const choices = choicesOf.get(name);
		if (choices && !choices.some((choice) => choice === guess)) {
			throw invalidRequest(`body/guesses/${name} must be one of ${choices.join(', ')}`);
		}
	}
	return guesses;
}

export interface SettingsChange {
	latencyMs?: number;
	peakInFlight?: number;
	guesses?: Partial<Guesses>;
}

export function readSettings(body: unknown): SettingsChange {
	checkMembers(body, { 'latencyMs?': isCount, 'peakInFlight?': isCount, 'guesses?': isObject });
	const { guesses = {}, ...rest } = body;
	return { ...rest, guesses: readGuesses(guesses) };
}

export interface NewRecords {
	count: number;
	/** The page of sessions, or the account of activities. */
	of?: string;
	changes?: Members;
}

export function readNewRecords(body: unknown): NewRecords {
	checkMembers(body, { 'count?': isPositiveCount, 'of?': isText, 'changes?': isObject });
	return { count: 1, ...body };
}

export function readChanges(body: unknown): Members {
	if (!isObject(body)) throw invalidRequest('body must be a JSON object');
	return body;
}
