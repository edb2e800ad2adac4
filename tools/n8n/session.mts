import { setTimeout as sleep } from 'node:timers/promises';

/** Safe only because nothing but this machine can reach the instance. */
export const localOwner = {
	email: 'owner@example.com',
	firstName: 'Local',
	lastName: 'Owner',
	password: 'Sandbox-2026',
};

const readyAgainWithinMs = 60_000;
// n8n binds its cookie to the browser that logged in.
export const browserId = 'page-audience-tools';

/** n8n responded with an error status. */
export class N8nResponseError extends Error {
	readonly status: number;

	constructor(method: string, path: string, status: number, text: string) {
		super(`n8n responded ${status} to ${method} ${path}: ${readMessage(text)}`);
		this.status = status;
	}
}

/** Speaks n8n's REST API as the editor does, with the cookie of the logged-in owner. */
export class N8nSession {
	readonly url: string;
	#cookie: string;

	/** With the cookie of a logged-in session, this continues that session. */
	constructor(url: string, cookie = '') {
		this.url = url;
		this.#cookie = cookie;
	}

	/** A secret. */
	get cookie(): string {
		return this.#cookie;
	}

	/** Creates the owner's account on a new instance, or logs in to it. */
	async logIn(): Promise<void> {
		try {
			await this.request('POST', '/rest/owner/setup', localOwner);
		} catch (error) {
			// There is one already.
			if (!(error instanceof N8nResponseError && error.status === 400)) throw error;
			const { email, password } = localOwner;
			await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** The `data` of n8n's response. Throws an N8nResponseError unless the status is in the 200s. */
	async request<Data = unknown>(method: string, path: string, body?: unknown): Promise<Data> {
		const deadline = Date.now() + readyAgainWithinMs;
		let response = await this.send(method, path, body);
		// n8n does nothing and responds 503 while its database is away.
		while (response.status === 503 && Date.now() < deadline) {
			await sleep(200);
			response = await this.send(method, path, body);
		}
		const text = await response.text();
		if (!response.ok) throw new N8nResponseError(method, path, response.status, text);
		for (const cookie of response.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.split(';')[0] ?? '';
		}
		return (JSON.parse(text) as { data: Data }).data;
	}

	/** n8n's response, unchanged. */
	async send(method: string, path: string, body?: unknown): Promise<Response> {
		return await fetch(this.url + path, {
			method,
			headers: {
				'browser-id': browserId,
				cookie: this.#cookie,
				// n8n closes an idle connection after five seconds, and a busy caller would write to a closed one.
				connection: 'close',
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
	}
}

function readMessage(text: string): string {
	try {
		const { message } = JSON.parse(text) as { message?: string };
		return message ?? text;
	} catch {
		return text.slice(0, 300);
	}
}
