import { parseArgs } from 'node:util';
import { startSandbox } from './index.mts';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		host: { type: 'string', default: '127.0.0.1' },
		key: { type: 'string', default: 'sandbox-key' },
		latency: { type: 'string', default: '0' },
	},
});

const explainFailure = (error: unknown): string => {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') {
		return `Port ${values.port} is in use. Stop the program that uses it, or choose another port: --port 4011 (0 finds a free one).`;
	}
	return error instanceof Error ? error.message : String(error);
};

try {
	const sandbox = await startSandbox({
		port: Number(values.port),
		host: values.host,
		apiKey: values.key,
		latencyMs: Number(values.latency),
	});
	console.log(`The sandbox runs at ${sandbox.url}`);
	console.log(`API key: ${sandbox.apiKey}`);
	console.log('Open that address to submit a form, send events and see requests. Ctrl+C stops it.');
	const end = () => void sandbox.close();
	process.once('SIGINT', end);
	process.once('SIGTERM', end);
} catch (error) {
	console.error(explainFailure(error));
	process.exitCode = 1;
}
