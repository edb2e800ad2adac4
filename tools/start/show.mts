import type { Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../n8n/client.mts';
import { listFailures, type Execution } from '../n8n/execution.mts';
import type { CredentialReference } from '../n8n/workflow.mts';
import { showStep } from '../setup/progress.mjs';
import { findAlertDeviations, readAlert, sendFailedEnrichment } from './alert.mts';
import {
	contactNodes,
	describeRows,
	findContactDeviations,
	formatRows,
	listRows,
} from './contacts.mts';
import { findDeafDeviations, readDeafAlerts } from './deaf.mts';
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
import { countSynced, findSyncDeviations } from './sync.mts';

/** Where the starter workflows run, and what they run against. */
export type Stage = { client: N8nClient; sandbox: Sandbox; credential: CredentialReference };
export type Workflows = Record<Example, ProvidedWorkflow>;

/** All starter workflows. Those from an earlier start stay unchanged. */
export async function offerWorkflows({ client, credential }: Stage): Promise<Workflows> {
	return await showStep(
		'Adding the starter workflows to n8n',
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
			return `${all.length} workflows${kept > 0 ? `, ${kept} of them from an earlier start` : ''}`;
		},
	);
}

/** Runs the contacts' workflow and shows the result. Returns its deviations. */
export async function showContacts(stage: Stage, { contacts }: Workflows): Promise<string[]> {
	const execution = await showRun(stage, contacts, ({ status }) => status);
	const names = contacts.nodes.map(({ name }) => name);
	if (!Object.values(contactNodes).every((name) => names.includes(name))) {
		console.log(
			'You changed this workflow, so its results are not shown here. Open it in n8n to see them.',
		);
		return [];
	}
	const rows = listRows(execution);
	const deviations = findContactDeviations(execution, stage.sandbox.requests);
	console.log(`\n${formatRows(rows)}\n`);
	if (deviations.length === 0) console.log(describeRows(rows));
	return deviations;
}

/** The workflow that listens to the form, or the reason why it does not. */
export type Listening = { workflowId: string; obstacle?: string };

/** Publishes the form's workflow, unless its owner unpublished it. */
export async function listenToForm(stage: Stage, { form }: Workflows): Promise<Listening> {
	const { id: workflowId, isKept, active, name } = form;
	if (isKept && !active) return { workflowId, obstacle: `"${name}" is not published` };
	return await showPublishing(stage, form, "published; it listens to the sandbox's form");
}

/** Submits the form once and shows the result. Returns its deviations. */
export async function showForm(
	{ client, sandbox }: Stage,
	{ workflowId, obstacle }: Listening,
): Promise<string[]> {
	if (obstacle !== undefined) return [obstacle];
	const outcome = await showStep(
		`Submitting the form at ${sandbox.url}`,
		async () => await submitForm(client, sandbox, workflowId),
		({ executions }) => executions.map(({ status }) => status).join(', ') || 'no execution',
	);
	const deviations = findFormDeviations(outcome);
	console.log(`\n${formatFormOutcome(outcome)}\n`);
	console.log(readMessage(outcome));
	if (deviations.length === 0) {
		console.log('One form led to one delivery, one execution and one person log.');
	}
	return deviations;
}

/** Runs the other workflows and shows the results. Returns their deviations. */
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
		return `${written} audiences updated, ${same} unchanged, ${notFound} not found`;
	});
	found.push(...findOverrideDeviations(overrides, sandbox));
	// The second run shows that known persons are found, and unchanged contacts are skipped.
	for (let run = 1; run <= 2; run++) {
		const synced = await showRun(stage, workflows.sync, (execution) => {
			const { written, unchanged, failed } = countSynced(execution);
			return `${written} contacts written, ${unchanged} unchanged, ${failed} to fix`;
		});
		found.push(...findSyncDeviations(synced, sandbox));
	}
	found.push(...(await showAlert(stage, workflows.alert)));
	// The workflow of the alert is published now, and uses the subscription that this one checks.
	const checked = await showRun(
		stage,
		workflows.deaf,
		(execution) => readDeafAlerts(execution)[0] ?? 'the subscription delivers',
	);
	found.push(...findDeafDeviations(checked));
	return found;
}

async function showAlert(stage: Stage, workflow: ProvidedWorkflow): Promise<string[]> {
	const { workflowId, obstacle } = await showPublishing(stage, workflow, 'published');
	if (obstacle !== undefined) return [obstacle];
	const outcome = await showStep(
		'Sending the event of a failed enrichment',
		async () => await sendFailedEnrichment(stage.client, stage.sandbox, workflowId),
		readAlert,
	);
	return findAlertDeviations(outcome);
}

const showRun = async (
	{ client }: Stage,
	workflow: ProvidedWorkflow,
	describeResult: (execution: Execution) => string,
): Promise<Execution> =>
	await showStep(
		`Running the workflow "${workflow.name}"`,
		async () => await runOnce(client, workflow),
		(execution) => listFailures(execution)[0] ?? describeResult(execution),
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
