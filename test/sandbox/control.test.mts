import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventKinds } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

test.each(eventKinds)('an event %s has example data', async (kind) => {
	const { subscriptions, versions } = sandbox.store;
	Object.assign(subscriptions.all()[0], { events: [kind], active: true });
	const { data: deliveries } = await call(sandbox, 'POST', '/sandbox/events', { kind });
	const { event, data } = deliveries[0].payload;
	expect(event).toBe(kind);
	if (kind.startsWith('form.')) expect(data.form.email).toMatch('@');
	else expect(versions.get(data.versionId)?.audienceId).toBe(data.audienceId);
});

test('the command prints its address and API key', async () => {
	const main = join(__dirname, '../../sandbox/main.mts');
	const child = spawn(process.execPath, [main, '--port', '0', '--key', 'k1'], { stdio: 'pipe' });
	let written = '';
	for await (const chunk of child.stdout) {
		written += String(chunk);
		if (written.includes('Ctrl+C')) break;
	}
	child.kill();
	expect(written).toMatch(/at http:\/\/127\.0\.0\.1:\d+\nAPI key: k1\n/);
});
