import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, delimiter } from 'node:path';

/** The environment's PATH with one more folder in front, under the name this platform gives it. */
export function withPath(folder) {
	const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
	return { [name]: [folder, process.env[name]].filter(Boolean).join(delimiter) };
}

/**
 * Sends this process a SIGTERM when the npm that runs it is gone: an npm that is killed passes nothing on.
 * Without npm, the parent may be a shell that is allowed to end first.
 */
export function stopWithNpm() {
	if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
	const parent = readProcess(process.ppid);
	// npm runs a script in a shell, which survives npm; some shells put the script in their own place.
	const npm = /^(ba|da|a|z)?sh$/.test(parent.name) ? parent.ppid : process.ppid;
	const watch = setInterval(() => {
		if (isAlive(npm)) return;
		clearInterval(watch);
		process.kill(process.pid, 'SIGTERM');
	}, 500);
	watch.unref();
}

export function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

function readProcess(pid) {
	// Slim containers have no `ps`, Macs have no /proc.
	if (process.platform === 'linux') {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		const [, name, ppid] = /\((.*)\) \S (\d+) /s.exec(stat);
		return { name, ppid: Number(ppid) };
	}
	const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
		encoding: 'utf8',
	});
	const [ppid, name] = stdout.trim().split(/\s+/);
	return { name: basename(name), ppid: Number(ppid) };
}
