import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { fillPlace } from '../tools/docs/markdown.mts';
import { runToEnd } from '../tools/lifetime.mts';
import { currentRelease } from '../tools/n8n/release.mts';
import { root } from '../tools/root.mts';
import { CommandError } from '../tools/setup/program.mjs';
import { type MeasuredN8n, openMeasuredN8n } from './measuredN8n.mts';
import { type Row, writeRows } from './measure.mts';
import { deliveries } from './subjects/deliveries.mts';
import { lists } from './subjects/lists.mts';
import { logs } from './subjects/logs.mts';
import { nights } from './subjects/nights.mts';

type Subject = {
	/** What stands in the second column of the table. */
	peer: string;
	measure(n8n: MeasuredN8n, scale: number): Promise<Row[]>;
};

const subjects = new Map<string, Subject>([
	['logs', { peer: 'HTTP Request node', measure: logs }],
	['lists', { peer: 'HTTP Request node', measure: lists }],
	['nights', { peer: 'The first night', measure: nights }],
	['deliveries', { peer: 'Webhook node', measure: deliveries }],
]);

const usage = `npm run bench                    measures everything
npm run bench -- logs lists      some of: ${[...subjects.keys()].join(', ')}
npm run bench -- --quick         a tenth of the work, to see that everything runs; writes nothing`;

const latencyMs = 20;
const page = 'bench/README.md';

await runToEnd(async () => {
	const names = process.argv.slice(2).filter((arg) => arg !== '--quick');
	const quick = process.argv.includes('--quick');
	if (names.some((name) => !subjects.has(name))) throw new CommandError(usage);
	for (const [name, { peer, measure }] of subjects) {
		if (names.length > 0 && !names.includes(name)) continue;
		console.log(`Measuring ${name} …`);
		// Each has an n8n of its own, so that it does not matter what was measured before.
		const n8n = await openMeasuredN8n(latencyMs);
		const rows = await measure(n8n, quick ? 0.1 : 1).finally(async () => await n8n.close());
		const table = writeRows(peer, rows);
		console.log(`\n${table}\n`);
		// A missed goal is a result. Only unfinished work is a failure.
		if (!quick)
			writeFileSync(join(root, page), fillPlace(page, name, `${describeSetting()}\n\n${table}`));
	}
	return 0;
});

function describeSetting(): string {
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		version: string;
	};
	const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 1024 ** 3)} GB, ${platform()} ${arch()}`;
	return `Measured on ${new Date().toISOString().slice(0, 10)}: package ${version}, n8n ${currentRelease().version}, Node.js ${process.versions.node}, ${machine}.`;
}
