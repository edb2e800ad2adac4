// Loaded into n8n's process before its own code. Only there can garbage be collected before memory is read, and a
// node's own work be told from n8n's, which holds the event loop too.
import { createServer } from 'node:http';
import Module from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { LoopWatch } from './loopWatch.mts';

/** A call of `execute` or `poll`. */
export type NodeRun = {
	node: string;
	ms: number;
	/** The longest time that it held the event loop. */
	holdMs: number;
	/** What it added to the process's resident memory at its peak. */
	addedBytes: number;
};
export type ProbeReading = {
	heapBytes: number;
	handles: number;
	/** Since n8n started. */
	runs: NodeRun[];
};

type Execute = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type NodeClass = { name: string; prototype: Record<string, Execute | undefined> };
type Loader = { _load(request: string, ...rest: unknown[]): unknown };

const watchedFiles = /(PageAudience|PageAudiencePollingTrigger|HttpRequestV3)\.node(\.js)?$/;
const port = Number(process.env.PROBE_PORT);

// n8n's own child processes and threads inherit the environment.
if (isMainThread && port && /[\\/]n8n$/.test(process.argv[1] ?? '')) listen(watchNodes());

/** `/collect` collects garbage before it reads. */
function listen(runs: NodeRun[]): void {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const server = createServer(({ url }, response) => {
		if (url === '/collect') collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		const handles = process.getActiveResourcesInfo().length;
		const reading: ProbeReading = { heapBytes: heapUsed + external, handles, runs };
		// Kept open, the connection would count as a handle.
		response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
		response.end(JSON.stringify(reading));
	});
	server.listen(port, '127.0.0.1');
	server.unref();
}

function watchNodes(): NodeRun[] {
	const runs: NodeRun[] = [];
	const watched = new WeakSet<object>();
	const loader = Module as unknown as Loader;
	const load = loader._load;
	loader._load = function (request, ...rest) {
		const loaded = load.call(this, request, ...rest);
		if (!watchedFiles.test(request)) return loaded;
		for (const made of Object.values(loaded as Record<string, NodeClass>)) {
			if (watched.has(made)) continue;
			watched.add(made);
			watchClass(made, runs);
		}
		return loaded;
	};
	return runs;
}

function watchClass({ name, prototype }: NodeClass, runs: NodeRun[]): void {
	for (const method of ['execute', 'poll']) {
		const work = prototype[method];
		if (!work) continue;
		prototype[method] = async function (...args) {
			const watch = new LoopWatch();
			try {
				return await work.apply(this, args);
			} finally {
				runs.push({ node: name, ...watch.stop() });
			}
		};
	}
}
