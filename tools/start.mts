import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { atEnd, runToEnd } from './lifetime.mts';
import { connect, type N8nClient } from './n8n/client.mts';
import { startN8n, type N8nInstance } from './n8n/instance.mts';
import { localOwner, N8nResponseError } from './n8n/session.mts';
import { packPackage } from './package.mts';
import { findFreePort } from './ports.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';
import { showStep } from './setup/progress.mjs';
import { findRunning, forgetEverything, keptFolder, readPorts, writeState } from './start/kept.mts';
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

const usage = `npm start                starts n8n with the package, the sandbox and the starter workflows, until Ctrl+C
npm start -- --reset     forgets what an earlier start kept, then does the same
npm start -- --once      runs and checks all workflows in a temporary folder, then ends`;

await runToEnd(async () => {
	const { once, reset } = readOptions();
	if (once) return (await startAll(true)).deviations.length === 0 ? 0 : 1;
	const running = await findRunning();
	if (running) {
		console.log(`n8n is already running at http://127.0.0.1:${running.editorPort}`);
		console.log(`To stop it: kill ${running.pid}`);
		return 0;
	}
	if (reset) forgetEverything();
	const started = await startAll(false);
	describeRunning(started);
	const { n8n } = started;
	const end = await n8n.ended;
	throw new CommandError(`n8n ${end}. The end of its log:\n${n8n.log().slice(-2000)}`);
});

type Started = {
	n8n: N8nInstance;
	sandbox: Sandbox;
	workflows: Workflows;
	listening: Listening;
	/** What differs from what was expected. */
	deviations: string[];
};

async function startAll(temporary: boolean): Promise<Started> {
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
	const n8n = await showStep(
		'Starting n8n with the packed package',
		async () =>
			await startN8n({ tarball, port: editorPort, userFolder: temporary ? undefined : keptFolder }),
		({ url }) => `n8n runs at ${url}`,
	);
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

function describeRunning({ n8n, sandbox, workflows, listening }: Started): void {
	const executions = `${n8n.url}/workflow/${listening.workflowId}/executions`;
	const whatToDo = listening.obstacle
		? `${listening.obstacle}: publish it at ${n8n.url}/workflow/${listening.workflowId}, then submit the form`
		: `submit the form, then see the execution in n8n at ${executions}`;
	const offered = Object.values(workflows).map(
		({ id, name }) => `              ${n8n.url}/workflow/${id}  ${name}`,
	);
	console.log(`
The demo page ${sandbox.url}/demo   (${whatToDo})
The console   ${sandbox.url}/console   (shows requests, deliveries and person logs live)
The editor    ${n8n.url}   (email ${localOwner.email}, password ${localOwner.password})
Workflows     each has notes that explain it:
${offered.join('\n')}
The sandbox   ${sandbox.url}   (API key ${sandbox.apiKey}; received requests: ${sandbox.url}/sandbox/requests)
Data          ${relative(root, keptFolder)} keeps your workflows for the next start; to start over: npm start -- --reset
To stop       Ctrl+C, or: kill ${process.pid}
`);
	atEnd(() => console.log('Stopped.'));
}

function readOptions(): { once: boolean; reset: boolean } {
	try {
		const { values } = parseArgs({
			options: { once: { type: 'boolean' }, reset: { type: 'boolean' } },
		});
		return { once: values.once ?? false, reset: values.reset ?? false };
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
