import { watch } from 'node:fs';
import { join, relative } from 'node:path';
import { moveToRecentWeeks, startSandbox } from '../sandbox/index.mts';
import { atEnd, runToEnd } from './lifetime.mts';
import { connect, type N8nClient } from './n8n/client.mts';
import { installN8n } from './n8n/install.mts';
import { N8n, packageFolder } from './n8n/n8n.mts';
import { localOwner } from './n8n/session.mts';
import { packPackage, sourceFolders, unpackOver } from './package.mts';
import { findFreePort } from './ports.mts';
import { root } from './root.mts';
import { CommandError } from './setup/program.mjs';
import { addExamples, readExample } from './start/starter.mts';

// npm start: n8n with the package, the sandbox and the starter workflows, until Ctrl+C.
// npm run dev: the same, and n8n reloads the package when its source changes.

/** Keeps your workflows from start to start. n8n unpacks its editor there, and ESLint reads no folder of this name. */
const keptFolder = join(root, '.cache/start/node_modules');
// Not n8n's default 5678, where your own n8n may run.
const editorPort = 4020;
/** Always the same, because the credential that is kept leads there. */
const sandboxPort = 4010;
// Editors write a file in several steps, and a branch changes many at once.
const quietMs = 200;

await runToEnd(async () => {
	// Two n8n must not share the folder.
	for (const port of [editorPort, sandboxPort])
		if ((await findFreePort(port)) !== port)
			throw new CommandError(`Port ${port} is in use. Is an earlier npm start still running?`);
	const isDeveloped = process.argv.includes('--dev');
	await installN8n();
	console.log('Building and packing the package …');
	const { tarball } = await packPackage();
	atEnd(() => console.log('Stopped.'));
	const sandbox = await startSandbox({ port: sandboxPort });
	atEnd(() => sandbox.close());
	moveToRecentWeeks(sandbox.store);

	console.log('Starting n8n with the packed package (takes half a minute) …');
	const env = { N8N_DEV_RELOAD: String(isDeveloped) };
	const n8n = new N8n({ tarball, env, userFolder: keptFolder, port: editorPort });
	const client = await connect(await n8n.start());
	if ((await client.listWorkflows()).length === 0) await addExamples(client, sandbox);
	await publishForm(client);
	if (isDeveloped) rebuildOnChange(packageFolder(n8n.userFolder));
	console.log(`
The editor    ${n8n.url}   (email ${localOwner.email}, password ${localOwner.password})
              Each workflow has notes that explain it
The sandbox   ${sandbox.url}   (API key ${sandbox.apiKey})
              Open it to submit a form, and see what the service received
Executions    ${n8n.url}/home/executions shows what the form started
Kept in       ${relative(root, keptFolder)}, for the next start. Delete it to start over
To stop       Ctrl+C, or: kill ${process.pid}
`);
	const end = await n8n.end();
	throw new CommandError(`n8n ${end}. The end of its log:\n${n8n.log.slice(-2000)}`);
});

/** The sandbox is new, and does not deliver to what an earlier start published. */
async function publishForm(client: N8nClient): Promise<void> {
	const { name } = readExample('form');
	try {
		const form = (await client.listWorkflows()).find((each) => each.name === name);
		if (form?.active) await client.unpublish(form.id);
		if (form) await client.publish(form.id);
	} catch (error) {
		// You may have changed it.
		console.log(`"${name}" is not published: ${String(error)}`);
	}
}

/** Packs the package again when its source changes, and unpacks it into `folder`, where n8n sees that. */
function rebuildOnChange(folder: string): void {
	let timer: NodeJS.Timeout | undefined;
	let last = Promise.resolve();
	const rebuildSoon = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => (last = last.then(async () => await rebuild(folder))), quietMs);
	};
	for (const each of sourceFolders) watch(join(root, each), { recursive: true }, rebuildSoon);
}

async function rebuild(folder: string): Promise<void> {
	try {
		unpackOver((await packPackage()).tarball, folder);
		console.log('n8n has the changed package. Reload the editor if it shows the old one.');
	} catch (error) {
		console.error(error instanceof CommandError ? error.message : error);
	}
}
