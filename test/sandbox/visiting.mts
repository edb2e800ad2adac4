import axios, { type AxiosResponse } from 'axios';
import type { Page, Sandbox } from '../../sandbox/index.mts';
import { type LocalServer, serve } from '../localServer.mts';

export const ada = {
	name: 'Ada Lindqvist',
	email: 'ada@meridian.com',
	company: 'Meridian',
	message: 'Hello\r\nthere',
};

/** Submits a form as a browser does, without following the redirect. */
export function sendForm(
	{ url }: Sandbox,
	path: string,
	fields: Record<string, string>,
): Promise<AxiosResponse<string>> {
	return axios.post(url + path, new URLSearchParams(fields).toString(), {
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		validateStatus: () => true,
		maxRedirects: 0,
		responseType: 'text',
		proxy: false,
	});
}

/** Submits the form of a page, and reads the page after it. */
export async function sendFormOf(
	sandbox: Sandbox,
	{ pageId }: Page,
	fields: Record<string, string>,
) {
	const { status, headers } = await sendForm(sandbox, `/demo/${pageId}`, fields);
	const session = sandbox.store.sessions.of(pageId).at(-1);
	if (!session) throw new Error('No session was added');
	const thanks = `/demo/${pageId}/thanks/${session.audienceSessionId}`;
	expect([status, headers.location]).toEqual([303, thanks]);
	return { text: (await readPage(sandbox, thanks)).text, session };
}

export async function readPage({ url }: Sandbox, path: string) {
	const answer = await fetch(url + path);
	return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

export interface Receiver extends LocalServer {
	/** Has a secret in its query. */
	address: string;
	bodies: unknown[];
	/** What it responds with. */
	status: number;
}

/** The only receiver of deliveries, a new one for each test. */
export function openReceiver(sandbox: Sandbox): Receiver {
	const receiver = {} as Receiver;
	beforeEach(async () => {
		const bodies: unknown[] = [];
		const server = await serve(({ body }) => {
			bodies.push(JSON.parse(body.toString()));
			return { status: receiver.status };
		});
		const address = `${server.url}/hook?token=verysecret`;
		for (const subscription of sandbox.store.subscriptions) subscription.active = false;
		Object.assign(sandbox.store.subscriptions.all()[0], { url: address, active: true });
		Object.assign(receiver, { ...server, address, bodies, status: 200 });
	});
	afterEach(() => receiver.close());
	return receiver;
}
