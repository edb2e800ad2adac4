import type { Response } from 'express';

const betweenLooksMs = 250;

/**
 * Tells browsers what has changed, as server-sent events. It looks a few times a second while somebody watches, and
 * nothing else of the sandbox knows of it. Each event holds a kind's whole list, so a slow browser may miss some.
 */
export class Feed {
	readonly #look: () => Record<string, unknown>;
	/** What each browser was told last. */
	readonly #watchers = new Map<Response, Map<string, string>>();
	#timer: NodeJS.Timeout | undefined;

	constructor(look: () => Record<string, unknown>) {
		this.#look = look;
	}

	join(response: Response): void {
		response.set({
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-store',
		});
		response.flushHeaders();
		this.#watchers.set(response, new Map());
		response.on('close', () => this.#leave(response));
		this.#tell();
		this.#timer ??= setInterval(() => this.#tell(), betweenLooksMs).unref();
	}

	#leave(response: Response): void {
		this.#watchers.delete(response);
		if (this.#watchers.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	#tell(): void {
		const texts = Object.entries(this.#look()).map(([kind, shown]) => [
			kind,
			JSON.stringify(shown),
		]);
		for (const [response, told] of this.#watchers) {
			if (response.writableNeedDrain) continue;
			for (const [kind, text] of texts) {
				if (told.get(kind) === text) continue;
				told.set(kind, text);
				response.write(`event: ${kind}\ndata: ${text}\n\n`);
			}
		}
	}
}
