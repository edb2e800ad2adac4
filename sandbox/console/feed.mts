import type { Response } from 'express';

const intervalMs = 250;

/**
 * Sends changes to browsers as server-sent events. While a browser is connected it polls the sandbox a few times a
 * second. Each event holds a kind's whole list, so a slow browser may miss some.
 */
export class Feed {
	readonly #read: () => Record<string, unknown>;
	/** The last text sent to each browser, by kind. */
	readonly #browsers = new Map<Response, Map<string, string>>();
	#timer: NodeJS.Timeout | undefined;

	constructor(read: () => Record<string, unknown>) {
		this.#read = read;
	}

	join(response: Response): void {
		response.set({
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-store',
		});
		response.flushHeaders();
		this.#browsers.set(response, new Map());
		response.on('close', () => this.#leave(response));
		this.#sendChanges();
		this.#timer ??= setInterval(() => this.#sendChanges(), intervalMs).unref();
	}

	#leave(response: Response): void {
		this.#browsers.delete(response);
		if (this.#browsers.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	#sendChanges(): void {
		const texts = Object.entries(this.#read()).map(([kind, shown]) => [
			kind,
			JSON.stringify(shown),
		]);
		for (const [response, sent] of this.#browsers) {
			if (response.writableNeedDrain) continue;
			for (const [kind, text] of texts) {
				if (sent.get(kind) === text) continue;
				sent.set(kind, text);
				response.write(`event: ${kind}\ndata: ${text}\n\n`);
			}
		}
	}
}
