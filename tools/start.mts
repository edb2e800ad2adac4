import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { atEnd, runToEnd } from './lifetime.mts';
import { connect, type N8nClient } from './n8n/client.mts';
import { Cluster } from './n8n/cluster.mts';
import { packageFolder, startN8n, type N8nInstance } from './n8n/instance.mts';
import { localOwner, N8nResponseError } from './n8n/session.mts';
import { packPackage } from './package.mts';
import { findFreePort } from './ports.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';
import { showStep } from './setup/progress.mjs';
import { findRunning, forgetEverything, keptFolder, readPorts, writeState } from './start/kept.mts';
import { rebuildOnChange } from './start/rebuild.mts';
import { moveToRecentWeeks } from './start/recent.mts';
import {
	listenToForm,
	offerWorkflows,
	showContacts,
	showForm,
	showOthers,
	type Listening,
	type Workflows,
} from './start/show.mts';
import { credentialType, provideCredential } from './start/starter.mts';
import { showWorkers } from './start/workers.mts';

const usage = `npm start                starts n8n with the package, the sandbox and the starter workflows, until Ctrl+C
npm start -- --reset     forgets what an earlier start kept, then does the same
npm start -- --once      runs and checks all workflows in a temporary folder, then ends
npm start -- --queue     runs all of it on n8n's queue mode, on PostgreSQL and Redis, and keeps nothing; also with --once
npm run dev              does what npm start does, and n8n reloads the package when you change it`;

await runToEnd(async () => {
	const { once, reset, queue, dev } = readOptions();
	const start = queue ? startQueueMode : dev ? startDevMode : startRegularMode;
	if (once) return (await startAll(true, start)).deviations.length === 0 ? 0 : 1;
	const running = queue ? undefined : await findRunning();
	if (running) {
		console.log(`n8n is already running at http://127.0.0.1:${running.editorPort}`);
		console.log(`To stop it: kill ${running.pid}`);
		return 0;
	}
	if (reset) forgetEverything();
	const started = await startAll(queue, start);
	describeRunning(started, queue);
	const { n8n } = started;
	const end = await n8n.ended;
	throw new CommandError(`n8n ${end}. The end of its log:\n${n8n.log().slice(-2000)}`);
});

/** n8n, wherever its processes are. */
type Running = Pick<N8nInstance, 'url' | 'ended' | 'log'> & { cluster?: Cluster };
type Started = {
	n8n: Running;
	sandbox: Sandbox;
	workflows: Workflows;
	listening: Listening;
	/** What differs from what was expected. */
	deviations: string[];
};

type StartN8n = (tarball: string, port: number, temporary: boolean) => Promise<Running>;

async function startRegularMode(
	tarball: string,
	port: number,
	temporary: boolean,
	env?: NodeJS.ProcessEnv,
): Promise<N8nInstance> {
	const userFolder = temporary ? undefined : keptFolder;
	return await showStep(
		'Starting n8n with the packed package',
		async () => await startN8n({ tarball, port, userFolder, env }),
		({ url }) => `n8n runs at ${url}`,
	);
}

async function startDevMode(tarball: string, port: number, temporary: boolean): Promise<Running> {
	const n8n = await startRegularMode(tarball, port, temporary, { N8N_DEV_RELOAD: 'true' });
	rebuildOnChange(packageFolder(n8n.userFolder));
	return n8n;
}

async function startQueueMode(tarball: string, port: number): Promise<Running> {
	const cluster = await showStep(
		'Starting PostgreSQL, Redis and n8n in queue mode with the packed package',
		async () => await Cluster.start({ tarball, port }),
		({ url, workers, webhooks }) =>
			`n8n runs at ${url}, with ${workers.length} workers and ${webhooks.length} webhook process behind a load balancer`,
	);
	atEnd(async () => await cluster.remove());
	const { url, main } = cluster;
	return { url, ended: main.ended, log: () => main.log, cluster };
}

async function startAll(temporary: boolean, start: StartN8n): Promise<Started> {
	const { tarball } = await showStep(
		'Building and packing the package',
		packPackage,
		({ fresh }) => (fresh ? 'packed' : 'unchanged since the last time'),
	);
	const ports = temporary ? { editorPort: 0, sandboxPort: 0 } : readPorts();
	const sandbox = await startSandbox({ port: await findFreePort(ports.sandboxPort) });
	atEnd(() => sandbox.close());
	moveToRecentWeeks(sandbox.store);
	console.log(`The sandbox runs at ${sandbox.url}`);
	const editorPort = await findFreePort(ports.editorPort);
	if (!temporary) writeState({ editorPort, sandboxPort: Number(new URL(sandbox.url).port) });
	const n8n = await start(tarball, editorPort, temporary);
	const client = await logIn(n8n.url);
	const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const credential = await provideCredential(client, data);
	const test = await client.testCredential(credentialType, data, credential);
	console.log(`Tested the credential "${credential.name}": ${test.message}`);
	const deviations = test.status === 'OK' ? [] : [`the credential's test failed: ${test.message}`];
	const stage = { client, sandbox, credential };
	const workflows = await offerWorkflows(stage);
	deviations.push(...(await showContacts(stage, workflows)));
	const listening = await listenToForm(stage, workflows);
	if (temporary) {
		deviations.push(...(await showForm(stage, listening)));
		deviations.push(...(await showOthers(stage, workflows)));
	}
	if (n8n.cluster) deviations.push(...(await showWorkers(client, n8n.cluster, workflows)));
	for (const deviation of deviations) console.log(`Not as expected: ${deviation}`);
	return { n8n, sandbox, workflows, listening, deviations };
}

async function logIn(url: string): Promise<N8nClient> {
	try {
		return await connect(url);
	} catch (error) {
		if (!(error instanceof N8nResponseError) || error.status !== 401) throw error;
		throw new CommandError(
			`The n8n in ${relative(root, keptFolder)} rejected ${localOwner.email} and ${localOwner.password}. ` +
				"Change its owner's email and password back, or start over: npm start -- --reset",
		);
	}
}

function describeRunning({ n8n, sandbox, workflows, listening }: Started, queue: boolean): void {
	const executions = `${n8n.url}/workflow/${listening.workflowId}/executions`;
	const whatToDo = listening.obstacle
		? `${listening.obstacle}: publish it at ${n8n.url}/workflow/${listening.workflowId}, then submit the form`
		: `submit the form, then see the execution in n8n at ${executions}`;
	const keptIn = `${relative(root, keptFolder)} keeps your workflows for the next start; to start over: npm start -- --reset`;
	const offered = Object.values(workflows).map(
		({ id, name }) => `              ${n8n.url}/workflow/${id}  ${name}`,
	);
	console.log(`
The sandbox   ${sandbox.url}   (${whatToDo};
              it shows requests and deliveries, and has a button for each event: publish "${workflows.alert.name}"
              and click form.enrichment_failed to try it; API key ${sandbox.apiKey})
The editor    ${n8n.url}   (email ${localOwner.email}, password ${localOwner.password})
Workflows     each has notes that explain it:
${offered.join('\n')}
Data          ${queue ? 'is gone when this ends' : keptIn}
To stop       Ctrl+C, or: kill ${process.pid}
`);
	atEnd(() => console.log('Stopped.'));
}

function readOptions(): { once: boolean; reset: boolean; queue: boolean; dev: boolean } {
	const flag = { type: 'boolean', default: false } as const;
	try {
		return parseArgs({ options: { once: flag, reset: flag, queue: flag, dev: flag } }).values;
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
