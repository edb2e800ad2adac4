import type { IDataObject } from 'n8n-workflow';
import { enumerate } from '../../../api/enumerate';
import { parseUrl, parseWebAddress } from '../../../api/parseUrl';
import { isTriggerUrl, urlParameters } from '../../../api/triggerUrl';
import { normalizePath, readParameter } from '../../../api/url';
import { describeName, describeUrl } from '../../../parameters/describeUrl';

/** Parameters that are named; more are only counted. */
const mostNames = 3;

/** Something that keeps events from arriving. */
export interface Trouble extends IDataObject {
	problem: 'gone' | 'inactive' | 'events' | 'url';
	message: string;
}

export const gone: Trouble = {
	problem: 'gone',
	message:
		'The webhook subscription does not exist. Choose another one in its trigger, and publish the workflow again.',
};

/** What keeps a subscription from delivering the expected events, apart from its address. */
export function findTroubles({ active, events }: IDataObject, expected: string[]): Trouble[] {
	const troubles: Trouble[] = [];
	if (active !== true) {
		troubles.push({
			problem: 'inactive',
			message:
				'The webhook subscription is inactive. Run Check with Options > Repair, or unpublish and publish the workflow of its trigger.',
		});
	}
	const message = describeMissing(events, expected);
	if (message !== undefined) troubles.push({ problem: 'events', message });
	return troubles;
}

/** Expected events that are missing. null is taken for every event, as in the trigger, because the API documents neither. */
export function listMissing(events: unknown, expected: string[]): string[] {
	return Array.isArray(events) ? expected.filter((kind) => !events.includes(kind)) : [];
}

function describeMissing(events: unknown, expected: string[]): string | undefined {
	if (events === null) return undefined;
	if (!Array.isArray(events)) {
		return expected.length === 0
			? undefined
			: `The webhook subscription has no list of events. It may not deliver ${enumerate(expected)}.`;
	}
	if (events.length === 0) return 'The webhook subscription delivers no events.';
	const missing = listMissing(events, expected);
	return missing.length === 0
		? undefined
		: `The webhook subscription does not deliver ${enumerate(missing)}.`;
}

/**
 * Whether a URL is the expected one. Without a query in that one, any query will do: a trigger registers its URL with a
 * secret token. A service may lower the letters of a path, or add a slash. A value that is another one may be a wrong
 * password.
 */
export function isExpectedUrl(url: string, expected: string): boolean {
	const [given, wanted] = [url, expected].map(readParts);
	return (
		wanted !== undefined &&
		given?.address === wanted.address &&
		given.user === wanted.user &&
		(!expected.includes('?') || given.query === wanted.query)
	);
}

function readParts(text: string) {
	const url = parseUrl(text);
	if (!url) return undefined;
	const { origin, pathname, username, password, searchParams } = url;
	return {
		address: origin + normalizePath(pathname),
		user: `${username}:${password}`,
		query: [...searchParams]
			.map((pair) => JSON.stringify(pair))
			.sort()
			.join(),
	};
}

/** Whether a service has cut off a part of a trigger's token, which has 64 hexadecimal digits. */
export function isCut(url: string): boolean {
	const token = isTriggerUrl(url) ? readParameter(url, urlParameters.token) : undefined;
	return token !== undefined && /^[\da-f]{0,63}$/.test(token);
}

/** Where a URL of this n8n leads. */
export type Place = 'elsewhere' | 'test' | 'webhook';

/** @param base of n8n's webhooks, e.g. `https://n8n.example/`. Without it, every address may be one. */
export function locateUrl(url: string, base: string | undefined): Place {
	const [to, from] = [url, base ?? ''].map(parseWebAddress);
	if (!to) return 'elsewhere';
	if (!from) return 'webhook';
	const root = `${normalizePath(from.pathname)}/`;
	const path = normalizePath(to.pathname);
	if (to.origin !== from.origin || !path.startsWith(root)) return 'elsewhere';
	return path.slice(root.length).startsWith('webhook-test/') ? 'test' : 'webhook';
}

/** @param expected undefined where n8n does not say where its webhooks are */
export function describeElsewhere(url: string, expected: string | undefined): string {
	const shown = describeUrl(url);
	const to = `The webhook subscription delivers to ${shown}`;
	if (expected === undefined) return `${to}.`;
	const wanted = describeUrl(expected);
	// Two addresses look the same without what may be secret.
	return shown === wanted
		? `${to}, but ${describeDifference(url, expected)}.`
		: `${to}, not to ${wanted}.`;
}

/** What differs of two addresses that look the same: of the query only the names, because a value may be a secret. */
function describeDifference(url: string, expected: string): string {
	const [given, wanted] = [url, expected].map(readParts);
	if (given?.address !== wanted?.address) return 'the rest of its address differs';
	if (given?.user !== wanted?.user) return 'its user name or password differs';
	if (given?.query.toLowerCase() === wanted?.query.toLowerCase())
		return 'its query differs in uppercase and lowercase letters';
	return `its query ${enumerate(listDifferences(readQuery(url), readQuery(expected)))}`;
}

function listDifferences(given: Map<string, string>, wanted: Map<string, string>): string[] {
	const differences = [
		['lacks %', [...wanted.keys()].filter((name) => !given.has(name))],
		['has % in addition', [...given.keys()].filter((name) => !wanted.has(name))],
		[
			'has another value of %',
			[...wanted].flatMap(([name, value]) => ((given.get(name) ?? value) === value ? [] : [name])),
		],
	] as const;
	return differences.flatMap(([text, names]) =>
		names.length === 0
			? []
			: [text.replace('%', () => enumerate(names.map(describeName), mostNames))],
	);
}

/** What each parameter of a URL has. */
function readQuery(url: string): Map<string, string> {
	const values = new Map<string, string>();
	for (const [name, value] of [...(parseUrl(url)?.searchParams ?? [])].sort())
		values.set(name, `${values.get(name) ?? ''}${JSON.stringify(value)}`);
	return values;
}
