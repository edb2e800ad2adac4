import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atEnd } from '../tools/lifetime.mts';
import { root } from '../tools/root.mts';
import { describeExit } from '../tools/setup/child.mjs';

/** The calls a child process offers. Arguments and results travel as JSON. */
type Calls = { [name: string]: (...args: never[]) => unknown };
type Question = { id: number; name: string; args: never[] };
type Reply = { id: number; value?: unknown; error?: string };

/** The child's side: serves calls until the parent is gone. */
export function serve(calls: Calls): void {
	process.on('message', ({ id, name, args }: Question) => {
		const reply = (rest: Omit<Reply, 'id'>): void => void process.send?.({ id, ...rest });
		Promise.resolve()
			.then(() => calls[name]?.(...args))
			.then(
				(value) => reply({ value }),
				(error: unknown) =>
					reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
			);
	});
}

/** The parent's side. The child is a process of its own, so that its work is not measured with n8n's. */
export class Child<Answers extends Calls> {
	readonly #process: ChildProcess;
	readonly #open = new Map<number, (reply: Reply) => void>();
	readonly #forget: () => void;
	#lastId = 0;

	constructor(program: string) {
		const endWithParent = pathToFileURL(join(root, 'tools/end-with-parent.mjs')).href;
		this.#process = fork(join(import.meta.dirname, program), {
			execArgv: ['--disable-warning=ExperimentalWarning', '--import', endWithParent],
		});
		this.#process.on('message', (reply: Reply) => this.#open.get(reply.id)?.(reply));
		this.#process.on('exit', (code, signal) => {
			for (const [id, take] of this.#open) {
				take({ id, error: `${program} ${describeExit(code, signal)}` });
			}
		});
		this.#forget = atEnd(() => this.stop());
	}

	async ask<Name extends keyof Answers & string>(
		name: Name,
		...args: Parameters<Answers[Name]>
	): Promise<Awaited<ReturnType<Answers[Name]>>> {
		const id = ++this.#lastId;
		const reply = await new Promise<Reply>((resolve) => {
			this.#open.set(id, resolve);
			this.#process.send({ id, name, args });
		});
		this.#open.delete(id);
		if (reply.error !== undefined) throw new Error(reply.error);
		return reply.value as Awaited<ReturnType<Answers[Name]>>;
	}

	stop(): void {
		this.#forget();
		this.#process.kill('SIGTERM');
	}
}
