import { execFileSync } from 'node:child_process';
import type { Release } from './release.mts';

/** As n8n's own instructions for Docker name it. Without a tag, Docker takes the newest release. */
const image = 'docker.n8n.io/n8nio/n8n';

/** Variables about this machine, which has other folders than the container. */
const ofMachine = ['NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'PATH', 'SystemRoot'];
const isOfMachine = (name: string) => ofMachine.includes(name) || /^TE?MP/.test(name);

/** The newest release of n8n in its official image. From n8n 3 on, npm has no n8n that runs. */
export function provideImage(): Release {
	execFileSync('docker', ['pull', '--quiet', image], { stdio: 'inherit' });
	const version = execFileSync('docker', ['run', '--rm', image, '--version'], { encoding: 'utf8' });
	return { version: version.trim(), program: image, node: 'docker' };
}

/**
 * The command line of a container that runs n8n as the user of this process, with the network of this machine and with this
 * user folder. Signals reach n8n, except for SIGKILL.
 */
export function containerCommand(
	name: string,
	userFolder: string,
	env: NodeJS.ProcessEnv,
	command: string,
): string[] {
	const names = Object.keys(env).filter((each) => !isOfMachine(each));
	return [
		...['docker', 'run', '--rm', '--name', name, '--network', 'host'],
		...['--user', `${process.getuid?.()}:${process.getgid?.()}`],
		...['--volume', `${userFolder}:${userFolder}`],
		...names.flatMap((each) => ['--env', each]),
		...[image, command],
	];
}

export function killContainer(name: string): void {
	execFileSync('docker', ['kill', name], { stdio: 'ignore' });
}
