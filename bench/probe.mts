// Loaded into n8n's process before its own code. Only there can garbage be collected before memory is read, and a
// node's own work be told from n8n's.
import { createServer } from 'node:http';
import Module from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** A call of `execute`. */
export type NodeRun = {
	ms: number;
	/** What it added to the process's resident memory at its peak. */
	addedBytes: number;
};

type Work = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type NodeClass = { prototype: { execute: Work } };
type Loader = { _load(request: string, ...rest: unknown[]): Record<string, NodeClass> };

const watchedFiles = /(PageAudience|HttpRequestV3)\.node(\.js)?$/;
const port = Number(process.env.PROBE_PORT);
const runs: NodeRun[] = [];
const watched = new Set<NodeClass>();

// n8n's own child processes and threads inherit the environment.
if (isMainThread && port && /[\\/]n8n$/.test(process.argv[1] ?? '')) {
	watchNodes(Module as unknown as Loader);
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	// Gives out the runs since the last request. `/clean` is asked before a run: collecting takes n8n 100 ms.
	const server = createServer(({ url }, response) => {
		if (url === '/clean') collectGarbage();
		response.end(JSON.stringify(runs.splice(0)));
	});
	server.listen(port, '127.0.0.1').unref();
}

function watchNodes(loader: Loader): void {
	const load = loader._load;
	loader._load = function (request, ...rest) {
		const loaded = load.call(this, request, ...rest);
		const made = watchedFiles.test(request) ? Object.values(loaded) : [];
		for (const each of made.filter((one) => !watched.has(one))) watchClass(each);
		return loaded;
	};
}

function watchClass(made: NodeClass): void {
	watched.add(made);
	const { execute } = made.prototype;
	made.prototype.execute = async function (...args) {
		const startedAt = performance.now();
		const rss = process.memoryUsage.rss();
		let peak = rss;
		const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
		const timer = setInterval(look, 5);
		try {
			return await execute.apply(this, args);
		} finally {
			clearInterval(timer);
			const addedBytes = look() - rss;
			runs.push({ ms: performance.now() - startedAt, addedBytes });
		}
	};
}
