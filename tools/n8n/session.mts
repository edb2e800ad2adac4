export type Owner = { email: string; firstName: string; lastName: string; password: string };

/** Good for an instance that only this machine can reach. */
export const localOwner: Owner = {
	email: 'owner@example.com',
	firstName: 'Local',
	lastName: 'Owner',
	password: 'Sandbox-2026',
};

// n8n binds its cookie to the browser that logged in.
const browserId = 'page-audience-tools';

/** n8n's answer was a refusal. */
export class RefusedByN8n extends Error {
	readonly status: number;

	constructor(method: string, path: string, status: number, answer: string) {
		super(`n8n answered ${status} to ${method} ${path}: ${messageOf(answer)}`);
		this.status = status;
	}
}

/** Speaks n8n's REST API as the editor does, with the cookie of the logged-in owner. */
export class Session {
	readonly url: string;
	#cookie: string;

	/** With the cookie of a session that is logged in, it is another one of the same. */
	constructor(url: string, cookie = '') {
		this.url = url;
		this.#cookie = cookie;
	}

	/** A secret. */
	get cookie(): string {
		return this.#cookie;
	}

	/** Makes the owner's account on a new instance, and logs in on an old one. */
	async logIn(owner: Owner): Promise<void> {
		const settings = await this.request<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'GET',
			'/rest/settings',
		);
		if (settings.userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/rest/owner/setup', owner);
		} else {
			const { email, password } = owner;
			await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** The `data` of n8n's answer. Throws RefusedByN8n unless the status is in the 200s. */
	async request<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		if (!response.ok) throw new RefusedByN8n(method, path, response.status, text);
		for (const cookie of response.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.split(';')[0] ?? '';
		}
		const parsed = JSON.parse(text) as { data: Answer };
		return parsed.data;
	}

	/** n8n's answer as it is. */
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

function messageOf(answer: string): string {
	try {
		const { message } = JSON.parse(answer) as { message?: string };
		return message ?? answer;
	} catch {
		return answer.slice(0, 300);
	}
}
