import type { IDataObject } from 'n8n-workflow';
import { isRewritten, isSameUrl, normalizePath, withoutQuery } from '../../../api/url';
import { parseUrl } from '../../../api/parseUrl';
import { describeUrl } from '../../../parameters/describeUrl';

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
				'The webhook subscription is inactive. Publish the workflow of its trigger again, or turn the subscription on.',
		});
	}
	const message = describeMissing(events, expected);
	if (message !== undefined) troubles.push({ problem: 'events', message });
	return troubles;
}

function describeMissing(events: unknown, expected: string[]): string | undefined {
	// Which events null stands for is not documented.
	if (!Array.isArray(events)) {
		return expected.length === 0
			? undefined
			: `The webhook subscription has no list of events. It may not deliver ${list(expected)}.`;
	}
	if (events.length === 0) return 'The webhook subscription delivers no events.';
	const missing = expected.filter((kind) => !events.includes(kind));
	return missing.length === 0
		? undefined
		: `The webhook subscription does not deliver ${list(missing)}.`;
}

function list(kinds: string[]): string {
	const last = kinds.at(-1) ?? '';
	return kinds.length > 1 ? `${kinds.slice(0, -1).join(', ')} and ${last}` : last;
}

/**
 * Whether a URL is the expected one. Without a query in that one, any query will do: a trigger registers its URL with a
 * secret token.
 */
export function isExpectedUrl(url: string, expected: string): boolean {
	const [given, wanted] = expected.includes('?')
		? [url, expected]
		: [withoutQuery(url), withoutQuery(expected)];
	return isSameUrl(given, wanted) || isRewritten(wanted, given);
}

/** Where a URL of this n8n leads. */
export type Place = 'elsewhere' | 'test' | 'webhook';

/** @param base of n8n's webhooks, e.g. `https://n8n.example/`. Without it, every address may be one. */
export function locateUrl(url: string, base: string | undefined): Place {
	const [to, from] = [url, base ?? ''].map((each) => parseUrl(each));
	if (!to || !/^https?:$/.test(to.protocol)) return 'elsewhere';
	if (!from) return 'webhook';
	const root = `${normalizePath(from.pathname)}/`;
	const path = normalizePath(to.pathname);
	if (to.origin !== from.origin || !path.startsWith(root)) return 'elsewhere';
	return path.slice(root.length).startsWith('webhook-test/') ? 'test' : 'webhook';
}

/** @param expected undefined where n8n does not say where its webhooks are */
export function describeElsewhere(url: string, expected: string | undefined): Trouble {
	const wanted = expected === undefined ? '' : `, not to ${describeUrl(expected)}`;
	return {
		problem: 'url',
		message: `The webhook subscription delivers to ${describeUrl(url)}${wanted}.`,
	};
}

export function describeTest(url: string): Trouble {
	return {
		problem: 'url',
		message: `The webhook subscription delivers to a test address, ${describeUrl(url)}. Publish the workflow of its trigger.`,
	};
}

export function describeUnserved(url: string): Trouble {
	return {
		problem: 'url',
		message: `No published workflow listens at ${describeUrl(url)}. Publish the workflow of its trigger.`,
	};
}
