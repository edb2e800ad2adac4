import express, { type Router } from 'express';
import { makeExampleData } from './deliveries.mts';
import { found, invalidRequest } from './errors.mts';
import type { Fault } from './faults.mts';
import { submitForm, type SubmittedForm } from './form.mts';
import { defaultGuesses, guessChoices, type Guesses } from './guesses.mts';
import type { SandboxParts } from './parts.mts';
import { eventKinds, type Page } from './records.mts';
import type { Store } from './store/store.mts';

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function readObject(value: unknown, at = 'body'): Members {
	if (isObject(value)) return value;
	throw invalidRequest(`${at} must be a JSON object`);
}

function choose<T extends string>(choices: readonly T[], value: unknown, at: string): T {
	const choice = choices.find((each) => each === value);
	if (choice === undefined) throw invalidRequest(`${at} must be one of ${choices.join(', ')}`);
	return choice;
}

/** The members that a fault of each kind must have. */
const faultMembers: Record<Fault['kind'], readonly string[]> = {
	status: ['status'],
	latency: ['ms'],
	resetBefore: [],
	resetAfter: [],
	cutBody: [],
	answer: ['body'],
	rateLimit: ['requests', 'perMs'],
};
const faultKinds = Object.keys(faultMembers) as Fault['kind'][];

function readFault(body: unknown): Fault {
	const { pathPattern, times, ...rest } = readObject(body);
	const missing = faultMembers[choose(faultKinds, rest.kind, 'body/kind')].find(
		(name) => rest[name] === undefined,
	);
	if (missing !== undefined) throw invalidRequest(`body/${missing} is required`);
	return {
		...rest,
		...(typeof pathPattern === 'string' && { path: readPattern(pathPattern) }),
		// JSON has no Infinity, so null means all.
		...(times !== undefined && { times: times ?? Infinity }),
	} as Fault;
}

function readPattern(pattern: string): RegExp {
	try {
		return new RegExp(pattern);
	} catch {
		throw invalidRequest('body/pathPattern must be a regular expression');
	}
}

const choicesOf = new Map<string, readonly string[]>(Object.entries(guessChoices));

function readGuesses(body: unknown): Partial<Guesses> {
	const guesses = readObject(body);
	for (const [name, value] of Object.entries(guesses)) {
		choose(Object.keys(defaultGuesses), name, 'A guess');
		const choices = choicesOf.get(name);
		if (choices) choose(choices, value, name);
		else if (typeof value !== 'number') throw invalidRequest(`${name} must be a number`);
	}
	return guesses;
}

const fields = ['name', 'email', 'company', 'message'] as const;

/** The page and the fields of a submitted form. Without a page, that is the first published one. */
function readForm(store: Store, body: unknown): { page: Page; form: SubmittedForm } {
	const { pageId, ...sent } = readObject(body);
	const page =
		typeof pageId === 'string'
			? store.pages.get(pageId)
			: store.pages.find(({ status }) => status === 'published');
	const form: SubmittedForm = {};
	for (const field of fields) {
		const text = sent[field];
		if (typeof text === 'string' && text.trim() !== '') form[field] = text.trim();
	}
	return { page: found(page, 'Page', String(pageId)), form };
}

/** The newest records. Without `last`, all. */
const takeLast = <T,>(records: readonly T[], last: unknown): readonly T[] =>
	last === undefined ? records : records.slice(-Number(last));

/** The routes under /sandbox, with which another process watches and changes the sandbox. They need no API key. */
export function createControl(parts: SandboxParts): Router {
	const { store, guesses, faults, recorder, deliveries } = parts;
	const router = express.Router();
	router.use(express.json({ limit: '10mb' }));
	router.get('/requests', ({ query }, response) => {
		response.json(takeLast(recorder.requests, query.last));
	});
	router.get('/deliveries', ({ query }, response) => {
		response.json(takeLast(deliveries.made, query.last));
	});
	router.post('/faults', ({ body }, response) => {
		const fault = readFault(body);
		faults.add(fault);
		response.status(201).json(fault);
	});
	router.delete('/faults', (_request, response) => {
		faults.clear();
		response.status(204).end();
	});
	router.post('/events', async ({ body }, response) => {
		const { kind: wanted, data: given } = readObject(body);
		const kind = choose(eventKinds, wanted, 'body/kind');
		const data =
			given === undefined ? makeExampleData(store, kind) : readObject(given, 'body/data');
		response.json(await deliveries.emit(kind, data));
	});
	router.post('/form', async ({ body }, response) => {
		const { page, form } = readForm(store, body);
		response.json(await submitForm(store, deliveries, page, form));
	});
	router.get('/pages', (_request, response) => {
		response.json(store.pages.all().map(({ pageId, name, status }) => ({ pageId, name, status })));
	});
	router.post('/guesses', ({ body }, response) => {
		response.json(Object.assign(guesses, readGuesses(body)));
	});
	router.post('/reset', (_request, response) => {
		parts.reset();
		response.status(204).end();
	});
	return router;
}
