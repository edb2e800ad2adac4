import type { Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../n8n/client.mts';
import type { Execution } from '../n8n/execution.mts';
import type { CredentialReference } from '../n8n/workflow.mts';
import { showStep } from '../progress.mts';
import { findAlertDeviations, readAlert, tellFailedEnrichment } from './alert.mts';
import {
	contactNodes,
	describeRows,
	findContactDeviations,
	formatRows,
	listRows,
} from './contacts.mts';
import { findDigestDeviations, readDigest } from './digest.mts';
import { findExportDeviations, listExportedRows } from './export.mts';
import { findFormDeviations, formatFormOutcome, readMessage, submitForm } from './form.mts';
import { countOverrides, findOverrideDeviations } from './overrides.mts';
import { publish } from './publishing.mts';
import {
	exampleNames,
	provideWorkflow,
	runOnce,
	type Example,
	type ProvidedWorkflow,
} from './starter.mts';

/** Where the starter workflows run, and what they run against. */
export type Stage = { client: N8nClient; sandbox: Sandbox; credential: CredentialReference };
export type Workflows = Record<Example, ProvidedWorkflow>;

/** All starter workflows. Those that an earlier start made stay as their owner left them. */
export async function offerWorkflows({ client, credential }: Stage): Promise<Workflows> {
	return await showStep(
		'Putting the starter workflows into n8n',
		async () => {
			const provided: Array<[Example, ProvidedWorkflow]> = [];
			for (const example of exampleNames) {
				provided.push([example, await provideWorkflow(client, credential, example)]);
			}
			return Object.fromEntries(provided) as Workflows;
		},
		(workflows) => {
			const all = Object.values(workflows);
			const kept = all.filter(({ isKept }) => isKept).length;
			return `${all.length} workflows${kept > 0 ? `, ${kept} of them kept from an earlier start` : ''}`;
		},
	);
}

/** Runs the contacts' workflow and shows what came of it. Returns what is off. */
export async function showContacts(stage: Stage, { contacts }: Workflows): Promise<string[]> {
	const execution = await showRun(stage, contacts, ({ status }) => status);
	const names = contacts.nodes.map(({ name }) => name);
	if (!Object.values(contactNodes).every((name) => names.includes(name))) {
		console.log('It was made or changed before this start: open it in n8n to see what it did.');
		return [];
	}
	const rows = listRows(execution);
	const deviations = findContactDeviations(execution, stage.sandbox.requests);
	console.log(`\n${formatRows(rows)}\n`);
	if (deviations.length === 0) console.log(describeRows(rows));
	return deviations;
}

/** The workflow that listens to the form, and why it does not if it does not. */
export type Listening = { workflowId: string; obstacle?: string };

/** Publishes the form's workflow, unless its owner took it back at an earlier start. */
export async function listenToForm(stage: Stage, { form }: Workflows): Promise<Listening> {
	const { id: workflowId, isKept, active, name } = form;
	if (isKept && !active) return { workflowId, obstacle: `"${name}" is not published` };
	return await showPublishing(stage, form, 'it listens to the form of the demo page');
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

/** Runs the workflows that a start only offers, and shows what came of them. Returns what is off. */
export async function showOthers(stage: Stage, workflows: Workflows): Promise<string[]> {
	const { sandbox } = stage;
	const found: string[] = [];
	const exported = await showRun(
		stage,
		workflows.export,
		(execution) => `${listExportedRows(execution).length} sessions in the table`,
	);
	found.push(...findExportDeviations(exported, sandbox));
	const digest = await showRun(
		stage,
		workflows.digest,
		(execution) => readDigest(execution).split('\n')[0] ?? '',
	);
	found.push(...findDigestDeviations(digest, sandbox));
	const overrides = await showRun(stage, workflows.overrides, (execution) => {
		const { written, same, notFound } = countOverrides(execution);
		return `${written} audiences written, ${same} were the same already, ${notFound} not found`;
	});
	found.push(...findOverrideDeviations(overrides, sandbox));
	found.push(...(await showAlert(stage, workflows.alert)));
	return found;
}

async function showAlert(stage: Stage, workflow: ProvidedWorkflow): Promise<string[]> {
	const { workflowId, obstacle } = await showPublishing(stage, workflow, 'it listens');
	if (obstacle !== undefined) return [obstacle];
	const outcome = await showStep(
		'Telling of a failed enrichment',
		async () => await tellFailedEnrichment(stage.client, stage.sandbox, workflowId),
		readAlert,
	);
	return findAlertDeviations(outcome);
}

const showRun = async (
	{ client }: Stage,
	workflow: ProvidedWorkflow,
	describe: (execution: Execution) => string,
): Promise<Execution> =>
	await showStep(
		`Running the workflow "${workflow.name}"`,
		async () => await runOnce(client, workflow),
		(execution) =>
			execution.status === 'success' ? describe(execution) : `it ended as ${execution.status}`,
	);

const showPublishing = async (
	{ client }: Stage,
	workflow: ProvidedWorkflow,
	success: string,
): Promise<Listening> =>
	await showStep(
		`Publishing the workflow "${workflow.name}"`,
		async () => {
			const workflowId = workflow.id;
			try {
				await publish(client, workflow);
				return { workflowId };
			} catch (error) {
				return { workflowId, obstacle: error instanceof Error ? error.message : String(error) };
			}
		},
		({ obstacle }: Listening) => obstacle ?? success,
	);
