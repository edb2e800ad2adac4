import type { Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../n8n/client.mts';
import type { CredentialReference } from '../n8n/workflow.mts';
import { showStep } from '../progress.mts';
import {
	findFormDeviations,
	formatFormOutcome,
	publish,
	readMessage,
	submitForm,
} from './form.mts';
import { findDeviations, formatRows, listRows } from './outcome.mts';
import { provideWorkflow, runOnce } from './starter.mts';

/** Where the starter workflows run, and what they run against. */
export type Stage = { client: N8nClient; sandbox: Sandbox; credential: CredentialReference };

/** Runs the contacts' workflow and shows what came of it. Returns what is off. */
export async function showContacts({ client, sandbox, credential }: Stage): Promise<string[]> {
	const workflow = await provideWorkflow(client, credential, 'contacts');
	const execution = await showStep(
		`Running the workflow "${workflow.name}"`,
		async () => await runOnce(client, workflow),
		({ status }) => status,
	);
	const rows = listRows(execution);
	const deviations = findDeviations(execution, sandbox.requests);
	console.log(`\n${formatRows(rows)}\n`);
	if (deviations.length === 0) {
		console.log(`${rows.length} contacts went in, ${rows.length} person logs came out, each once.`);
	}
	return deviations;
}

/** The workflow that listens to the form, and why it does not if it does not. */
export type Listening = { workflowId: string; obstacle?: string };

/** Publishes the form's workflow, unless its owner took it back at an earlier start. */
export async function listenToForm({ client, credential }: Stage): Promise<Listening> {
	const workflow = await provideWorkflow(client, credential, 'form');
	const { id: workflowId, isKept, active, name } = workflow;
	if (isKept && !active) return { workflowId, obstacle: `"${name}" is not published` };
	return await showStep(
		`Publishing the workflow "${name}"`,
		async () => {
			try {
				await publish(client, workflow);
				return { workflowId };
			} catch (error) {
				return { workflowId, obstacle: error instanceof Error ? error.message : String(error) };
			}
		},
		({ obstacle }) => obstacle ?? 'it listens to the form of the demo page',
	);
}

/** Sends the form once and shows what came of it. Returns what is off. */
export async function showForm(
	{ client, sandbox }: Stage,
	{ workflowId, obstacle }: Listening,
): Promise<string[]> {
	if (obstacle !== undefined) return [obstacle];
	const outcome = await showStep(
		`Sending the form of ${sandbox.url}/demo`,
		async () => await submitForm(client, sandbox, workflowId),
		({ executions }) => executions.map(({ status }) => status).join(', ') || 'nothing ran',
	);
	const deviations = findFormDeviations(outcome);
	console.log(`\n${formatFormOutcome(outcome)}\n`);
	console.log(readMessage(outcome));
	if (deviations.length === 0) {
		console.log('One form went in: one delivery, one execution, one person log.');
	}
	return deviations;
}
