import { isObject } from '../../api/request';
import { readParameter, withoutParameter, withParameter } from '../../api/url';
import { readHex, urlParameters, writeHex } from './registeredUrl';
import { isSameToken, sign } from './signature';
import { isSameSet, type SubscriptionState } from './state';

/**
 * What a test run beside the published workflow writes into the registered URL. Production copies deliveries to the
 * path only when the signature is its own, so nothing else in a request decides where a copy goes. After a crash, the
 * other fields say how to restore the subscription.
 */
export interface TestOrder {
	/** The path of the test URL, on this n8n's origin. */
	path: string;
	/** Before the test run. */
	before: Pick<SubscriptionState, 'events' | 'active'>;
	/** The events during the test run. */
	during: string[] | null;
}

export function withTestOrder(url: string, apiKey: string, id: string, order: TestOrder): string {
	const text = writeHex(order);
	const value = `${text}.${sign(apiKey, 'test', `${id}\n${text}`)}`;
	return withParameter(url, urlParameters.test, value);
}

/** Of a URL that came from the service. */
export function readTestOrder(url: string): TestOrder | undefined {
	return parse(readParameter(url, urlParameters.test)?.split('.')[0] ?? '');
}

/** Of a delivery's query, if this trigger signed it. */
export function readSignedOrder(value: string, apiKey: string, id: string): TestOrder | undefined {
	const [text = '', signature = ''] = value.split('.');
	return isSameToken(signature, sign(apiKey, 'test', `${id}\n${text}`)) ? parse(text) : undefined;
}

function parse(text: string): TestOrder | undefined {
	const order = readHex(text);
	if (!isObject(order) || typeof order.path !== 'string' || !isObject(order.before))
		return undefined;
	const { events, active } = order.before;
	return {
		path: order.path,
		before: { events: toList(events), active: active === true },
		during: toList(order.during),
	};
}

function toList(value: unknown): string[] | null {
	return Array.isArray(value) ? value.map(String) : null;
}

/** The subscription without what a test run beside the published workflow added. */
export function withoutTest(state: SubscriptionState): SubscriptionState {
	const order = readTestOrder(state.url);
	const url = withoutParameter(state.url, urlParameters.test);
	if (!order) return { ...state, url };
	// A person may have chosen other events, or paused the subscription, in the meantime.
	const isUntouched = isSameSet(state.events, order.during);
	return {
		url,
		events: isUntouched ? order.before.events : state.events,
		active: state.active && order.before.active,
	};
}
