// Loaded into the n8n process before its own code. Reports memory and CPU over HTTP from the inside, the only place
// where garbage can be collected first and where memory is known while an execution runs.
import { createServer } from 'node:http';
import Module from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { type Holds, LoopWatch } from './loopWatch.mts';

export type Memory = { rssBytes: number; heapBytes: number };
export type Reading = {
	/** CPU of all threads since `start`. */
	cpuMs: number;
	before: Memory;
	/** The most resident memory since `start`, up to `held` if that was called. */
	peakRssBytes: number;
	/** The live heap at `held`. */
	heldHeapBytes?: number;
	/** The last run of this package's action node. */
	execute?: Execute;
	/** The polls of this package's trigger since n8n started, in milliseconds each; null while it lasts. */
	pollsMs: Array<number | null>;
};
export type Execute = {
	ms: number;
	holds: Holds;
	/** The most resident memory from `start` to its end. */
	peakRssBytes: number;
};

const samplingMs = 10;
const watched = new WeakSet<object>();
const port = Number(process.env.BENCH_PROBE_PORT);

// n8n's own child processes and threads inherit the environment.
if (isMainThread && port && /[\\/]n8n$/.test(process.argv[1] ?? '')) listen();

function listen(): void {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	let reading: Reading | undefined;
	let cpuAtStart = process.cpuUsage();
	let sampling: NodeJS.Timeout | undefined;
	const pollsMs: Reading['pollsMs'] = [];

	const read = (): Memory => {
		// The first collection runs finalizers, whose objects only the second one frees.
		collectGarbage();
		collectGarbage();
		const { rss, heapUsed, external } = process.memoryUsage();
		return { rssBytes: rss, heapBytes: heapUsed + external };
	};
	const sample = (): void => {
		if (!reading || reading.heldHeapBytes !== undefined) return;
		reading.peakRssBytes = Math.max(reading.peakRssBytes, process.memoryUsage.rss());
	};
	const steps: Record<string, () => void> = {
		'/start': () => {
			reading = { cpuMs: 0, before: read(), peakRssBytes: 0, pollsMs };
			sampling = setInterval(sample, samplingMs);
			cpuAtStart = process.cpuUsage();
		},
		'/held': () => {
			sample();
			if (reading) reading.heldHeapBytes = read().heapBytes;
		},
		'/stop': () => {
			const { user, system } = process.cpuUsage(cpuAtStart);
			sample();
			clearInterval(sampling);
			if (reading) reading.cpuMs = (user + system) / 1000;
		},
	};
	watchNode(
		(seen) => {
			sample();
			if (reading) reading.execute = { ...seen, peakRssBytes: reading.peakRssBytes };
		},
		() => {
			const place = pollsMs.push(null) - 1;
			return (ms) => (pollsMs[place] = ms);
		},
	);
	const server = createServer(({ url = '' }, response) => {
		steps[url]?.();
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(reading ?? {}));
	});
	server.listen(port, '127.0.0.1');
	server.unref();
}

type NodeFile = {
	PageAudience?: { prototype: { execute(): Promise<unknown> } };
	PageAudiencePollingTrigger?: { prototype: { poll(): Promise<unknown> } };
};
type Loader = { _load(request: string, ...rest: unknown[]): unknown };

/**
 * Watches the event loop inside `execute` of this package's action node: n8n itself holds it too, before and after. Times
 * the polls of its trigger.
 */
function watchNode(
	report: (seen: Omit<Execute, 'peakRssBytes'>) => void,
	beginPoll: () => (ms: number) => void,
): void {
	const loader = Module as unknown as Loader;
	const load = loader._load;
	loader._load = function (request, ...rest) {
		const loaded = load.call(this, request, ...rest);
		const isNode = /PageAudience(PollingTrigger)?\.node(\.js)?$/.test(request);
		const { PageAudience, PageAudiencePollingTrigger } = isNode ? (loaded as NodeFile) : {};
		if (PageAudience && !watched.has(PageAudience)) {
			watched.add(PageAudience);
			const { execute } = PageAudience.prototype;
			PageAudience.prototype.execute = async function () {
				const watch = new LoopWatch();
				try {
					return await execute.call(this);
				} finally {
					report(watch.stop());
				}
			};
		}
		if (PageAudiencePollingTrigger && !watched.has(PageAudiencePollingTrigger)) {
			watched.add(PageAudiencePollingTrigger);
			const { poll } = PageAudiencePollingTrigger.prototype;
			PageAudiencePollingTrigger.prototype.poll = async function () {
				const startedAt = performance.now();
				const reportPoll = beginPoll();
				try {
					return await poll.call(this);
				} finally {
					reportPoll(performance.now() - startedAt);
				}
			};
		}
		return loaded;
	};
}
