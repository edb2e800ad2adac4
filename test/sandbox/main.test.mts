import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const mainPath = join(__dirname, '../../sandbox/main.mts');
const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((child) => child.kill()));

/** Reads the output of the process until it matches `until` or ends. */
function start(args: string[], until: RegExp): Promise<string> {
	const child = spawn(process.execPath, [mainPath, ...args], { stdio: 'pipe' });
	started.push(child);
	return new Promise((resolve) => {
		let written = '';
		const read = (chunk: Buffer) => {
			written += chunk.toString();
			if (until.test(written)) resolve(written);
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		child.once('close', (code) => resolve(`${written}exit ${code}`));
	});
}

test('prints its address and API key, and serves the API there', async () => {
	const written = await start(['--port', '0', '--key', 'k1'], /Ctrl\+C/);
	expect(written).toMatch('API key: k1');
	const url = /http:\/\/127\.0\.0\.1:\d+/.exec(written)?.[0];
	const answer = await fetch(`${url}/v0/webhook_subscriptions`, { headers: { 'x-api-key': 'k1' } });
	expect([answer.status, await answer.json()]).toEqual([200, expect.any(Array)]);
	const taken = await start(['--port', new URL(url ?? '').port], /exit/);
	expect(taken).toMatch(/^Port \d+ is in use\. .*--port 4011[^]*exit 1$/);
});
