import { readFileSync } from 'node:fs';
import type { Cluster } from '../../tools/n8n/cluster.mts';

/** Linux counts a process's time in hundredths of a second. */
const ticksPerSecond = 100;

/** How much time the processors have spent on each process of n8n: unlike the clock, this tells nothing of other work. */
function readProcessorSeconds({ main, workers, webhooks }: Cluster): Map<string, number> {
	const number = (name: string) => (_: unknown, index: number) => `${name} ${index + 1}`;
	const names = ['main', ...workers.map(number('worker')), ...webhooks.map(number('webhook'))];
	const seconds = [main, ...workers, ...webhooks].map(({ pid }) => {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// After the name, which may hold anything: the 12th and 13th are user and system time.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
	});
	return new Map(names.map((name, index) => [name, seconds[index] ?? 0]));
}

/** Starts to measure. The function that it returns shows the result, without the stack that Jest adds to a log. */
export function measure(cluster: Cluster): (what: string) => void {
	const startedMs = Date.now();
	const before = process.platform === 'linux' ? readProcessorSeconds(cluster) : undefined;
	return (what) => {
		const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
		const spent = before
			? [...readProcessorSeconds(cluster)].map(
					([name, after]) => `${name} ${(after - (before.get(name) ?? 0)).toFixed(1)} s`,
				)
			: [];
		const processors = spent.length > 0 ? `; processor time: ${spent.join(', ')}` : '';
		process.stderr.write(`Measured: ${what} in ${seconds} s${processors}\n`);
	};
}
