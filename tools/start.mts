import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { moveToRecentWeeks, startSandbox } from '../sandbox/index.mts';
import { atEnd, runToEnd } from './lifetime.mts';
import { connect, type N8nClient } from './n8n/client.mts';
import { installN8n } from './n8n/install.mts';
import { N8n, packageFolder } from './n8n/n8n.mts';
import { localOwner } from './n8n/session.mts';
import type { StoredWorkflow } from './n8n/workflow.mts';
import { packPackage } from './package.mts';
import { findFreePort } from './ports.mts';
import { root } from './root.mts';
import { CommandError } from './setup/program.mjs';
import { rebuildOnChange } from './start/rebuild.mts';
import { exampleNames, provideCredential, provideWorkflow } from './start/starter.mts';
import type { Example } from './start/starter.mts';

const usage = `npm start                starts n8n with the package, the sandbox and the starter workflows, until Ctrl+C
npm start -- --reset     forgets the workflows of earlier starts, then does the same
npm run dev              does what npm start does, and n8n reloads the package when you change it`;

/** Keeps your workflows from start to start. n8n unpacks its editor there, and ESLint reads no folder of this name. */
const keptFolder = join(root, '.cache/start/node_modules');
// Not n8n's default 5678, where your own n8n may run.
const editorPort = 4020;
const sandboxPort = 4010;

type Started = Awaited<ReturnType<typeof start>>;

await runToEnd(async () => {
	const options = process.argv.slice(2);
	if (options.some((option) => !['--reset', '--dev'].includes(option)))
		throw new CommandError(usage);
	// Two n8n must not share the folder.
	if ((await findFreePort(editorPort)) !== editorPort)
		throw new CommandError(`Port ${editorPort} is in use. Is an earlier npm start still running?`);
	if (options.includes('--reset')) rmSync(keptFolder, { recursive: true, force: true });
	const isDeveloped = options.includes('--dev');
	const started = await start({ N8N_DEV_RELOAD: String(isDeveloped) });
	if (isDeveloped) rebuildOnChange(packageFolder(started.n8n.userFolder));
	describe(started);
	const end = await started.n8n.end();
	throw new CommandError(`n8n ${end}. The end of its log:\n${started.n8n.log.slice(-2000)}`);
});

async function start(env: NodeJS.ProcessEnv) {
	await installN8n();
	console.log('Building and packing the package …');
	const { tarball } = await packPackage();
	const sandbox = await startSandbox({ port: await findFreePort(sandboxPort) });
	atEnd(() => sandbox.close());
	moveToRecentWeeks(sandbox.store);
	console.log('Starting n8n with the packed package (takes half a minute) …');
	const n8n = new N8n({ tarball, env, userFolder: keptFolder, port: editorPort });
	const client = await connect(await n8n.start());
	const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const credential = await provideCredential(client, data);
	const workflows = {} as Record<Example, StoredWorkflow>;
	for (const example of exampleNames)
		workflows[example] = await provideWorkflow(client, credential, example);
	await publishForm(client, workflows.form);
	return { n8n, client, sandbox, workflows };
}

/** The sandbox is new, and does not deliver to what an earlier start published. */
async function publishForm(client: N8nClient, { id, name, active }: StoredWorkflow): Promise<void> {
	try {
		if (active) await client.unpublish(id);
		await client.publish(id);
	} catch (error) {
		// You may have changed it.
		console.log(`"${name}" is not published: ${String(error)}`);
	}
}

function describe({ n8n, sandbox, workflows }: Started): void {
	const addresses = Object.values(workflows).map(
		({ id, name }) => `              ${n8n.url}/workflow/${id}  ${name}`,
	);
	console.log(`
The editor    ${n8n.url}   (email ${localOwner.email}, password ${localOwner.password})
The sandbox   ${sandbox.url}   (API key ${sandbox.apiKey}). Open it to submit a form, and see what the service received
Executions    ${n8n.url}/workflow/${workflows.form.id}/executions shows what the form started
Workflows     each has notes that explain it:
${addresses.join('\n')}
Kept in       ${relative(root, keptFolder)}, for the next start; to start over: npm start -- --reset
To stop       Ctrl+C, or: kill ${process.pid}
`);
	atEnd(() => console.log('Stopped.'));
}
