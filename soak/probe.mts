// Loaded into the n8n process before its own code. Tells from the inside what is left after garbage was collected.
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

export type ProbeReading = { heapBytes: number; handles: number };

const port = Number(process.env.SOAK_PROBE_PORT);

// n8n's own child processes and threads inherit the environment.
if (isMainThread && port && /[\\/]n8n$/.test(process.argv[1] ?? '')) listen();

function listen(): void {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const server = createServer((_, response) => {
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		const handles = process.getActiveResourcesInfo().length;
		const reading: ProbeReading = { heapBytes: heapUsed + external, handles };
		response.setHeader('content-type', 'application/json');
		// Kept open, the connection would count as a handle.
		response.setHeader('connection', 'close');
		response.end(JSON.stringify(reading));
	});
	server.listen(port, '127.0.0.1');
	server.unref();
}
