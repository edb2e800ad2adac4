import { setTimeout as sleep } from 'node:timers/promises';
import {
	executionStatuses,
	hasFinalData,
	isOver,
	readExecution,
	type Execution,
	type Item,
	type JsonObject,
	type StoredExecution,
} from './execution.mts';
import { N8nResponseError, N8nSession } from './session.mts';
import type { CredentialReference, StoredWorkflow, Workflow } from './workflow.mts';

type CredentialTest = { status: 'OK' | 'Error'; message: string };
export type ExecutionSummary = { id: string; mode: string; status: string; startedAt?: string };
type PublicationStatus = { status?: string; triggers?: Array<{ errorMessage: string | null }> };

/** Logs in, or creates the owner's account on a new instance. Returns n8n's REST API by subject. */
export async function connect(url: string): Promise<N8nClient> {
	const session = new N8nSession(url);
	await session.logIn();
	return new N8nClient(session);
}

export class N8nClient {
	readonly session: N8nSession;

	constructor(session: N8nSession) {
		this.session = session;
	}

	async createCredential(
		type: string,
		name: string,
		data: JsonObject,
	): Promise<CredentialReference> {
		const credential = { name, type, data };
		const created = await this.session.request('POST', '/rest/credentials', credential);
		return { id: (created as CredentialReference).id, name };
	}

	/** Tests the given values as the credential's dialog does. */
	async testCredential(
		type: string,
		data: JsonObject,
		{ id, name }: CredentialReference,
	): Promise<CredentialTest> {
		const credentials = { id, name, type, data };
		return await this.session.request('POST', '/rest/credentials/test', { credentials });
	}

	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		// n8n 1 needs `active`.
		const defaults = { settings: {}, active: false };
		return await this.session.request('POST', '/rest/workflows', { ...defaults, ...workflow });
	}

	async getWorkflow(id: string): Promise<StoredWorkflow> {
		return await this.session.request('GET', `/rest/workflows/${id}`);
	}

	async listWorkflows(): Promise<StoredWorkflow[]> {
		return await this.session.request('GET', '/rest/workflows');
	}

	async updateWorkflow(id: string, change: Partial<Workflow>): Promise<StoredWorkflow> {
		const { versionId } = await this.getWorkflow(id);
		return await this.session.request('PATCH', `/rest/workflows/${id}`, { versionId, ...change });
	}

	/** n8n deletes only archived workflows. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.session.request('POST', `/rest/workflows/${id}/archive`);
		// Archiving a published workflow unpublishes it, and n8n responds 409 until that is done.
		await untilDone(
			async () => await this.session.request('DELETE', `/rest/workflows/${id}`),
			(error) => error instanceof N8nResponseError && error.status === 409,
		);
	}

	/** Starts the stored workflow from `trigger`, with `input` as that node's pinned items. Returns the execution's ID. */
	async runWorkflow(id: string, trigger: string, input?: Item[]): Promise<string> {
		// n8n reads pinned items from the stored workflow, not from the one in the request.
		if (input) await this.updateWorkflow(id, { pinData: { [trigger]: input } });
		return (await this.#start(id, trigger)).executionId;
	}

	/** Starts "Listen for test event", or any other node that waits for a webhook, and returns at once. */
	async listenForTestEvent(id: string, trigger: string): Promise<void> {
		// While n8n ends a test run, its list of test runs holds what its cache cannot copy.
		await untilDone(
			async () => await this.#start(id, trigger),
			(error) => String(error).includes('Maximum call stack size exceeded'),
		);
	}

	async stopListening(id: string): Promise<void> {
		await this.session.request('DELETE', `/rest/test-webhook/${id}`);
	}

	async getExecution(id: string): Promise<Execution> {
		const stored = await this.session.request('GET', `/rest/executions/${id}`);
		return readExecution(stored as StoredExecution);
	}

	/** Resolves when the execution has finished, with any status. Throws if it has not within `withinMs`. */
	async waitForExecution(id: string, withinMs?: number): Promise<Execution> {
		const look = async () => {
			const execution = await this.getExecution(id);
			return isOver(execution) && hasFinalData(execution) ? execution : undefined;
		};
		return await poll(`execution ${id}`, look, withinMs);
	}

	/** All executions of a workflow, newest first. */
	async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const all = new Map<string, ExecutionSummary>();
		// n8n's cursor is an ID, but the list is in the order of the starts, which is another in queue mode: it would miss
		// some. So each page begins at the last start of the page before, and repeats that one.
		let startedBefore: string | undefined;
		for (;;) {
			const filter = JSON.stringify({ workflowId, startedBefore, status: executionStatuses });
			const path = `/rest/executions?filter=${encodeURIComponent(filter)}&limit=100`;
			const { results } = await this.session.request<{ results: ExecutionSummary[] }>('GET', path);
			const known = all.size;
			for (const execution of results) all.set(execution.id, execution);
			startedBefore = results.at(-1)?.startedAt;
			if (all.size === known || !startedBefore) return [...all.values()];
		}
	}

	/** Calls `start`, and waits for the executions of the published workflow that it leads to. */
	async collectExecutions(workflowId: string, start: () => Promise<unknown>): Promise<Execution[]> {
		const before = (await this.listExecutions(workflowId)).map(({ id }) => id);
		await start();
		const listNew = async () =>
			(await this.listExecutions(workflowId)).filter(({ id }) => !before.includes(id));
		await poll('an execution', async () => (await listNew())[0]);
		// A second execution of the same event would start within this time.
		await sleep(1_000);
		const executions: Execution[] = [];
		for (const { id } of await listNew()) executions.push(await this.waitForExecution(id));
		return executions;
	}

	/** Publishes the workflow's newest version, and waits until its triggers are registered. Throws with n8n's reason. */
	async publish(id: string, withinMs?: number): Promise<void> {
		await this.activate(id);
		// n8n says `not_published` until it has begun.
		const before = ['in_progress', 'not_published'];
		const { status, triggers } = await this.#settle(id, before, withinMs);
		const reasons = triggers?.flatMap(({ errorMessage }) => errorMessage ?? []).join('; ');
		if (status !== 'published') throw new Error(`n8n did not publish workflow ${id}. ${reasons}`);
	}

	/** Unpublishes the workflow, and waits until its triggers have ended. */
	async unpublish(id: string): Promise<void> {
		await this.deactivate(id);
		await this.#settle(id, ['in_progress', 'published']);
	}

	async #settle(id: string, before: string[], withinMs?: number): Promise<PublicationStatus> {
		const look = async () => {
			const now = await this.publicationStatus(id);
			return before.includes(String(now.status)) ? undefined : now;
		};
		return await poll(`the publication of workflow ${id}`, look, withinMs);
	}

	/** Publishes the workflow's newest version. n8n may register its triggers later: see `publicationStatus`. */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		await this.session.request('POST', `/rest/workflows/${id}/activate`, { versionId });
	}

	async deactivate(id: string): Promise<void> {
		await this.session.request('POST', `/rest/workflows/${id}/deactivate`);
	}

	/** Only where n8n has one: see `differencesOf`. */
	async publicationStatus(id: string): Promise<PublicationStatus> {
		return await this.session.request('GET', `/rest/workflows/${id}/publication-status`);
	}

	async #start(id: string, trigger: string): Promise<{ executionId: string }> {
		return await this.session.request('POST', `/rest/workflows/${id}/run`, {
			workflowData: await this.getWorkflow(id),
			triggerToStartFrom: { name: trigger },
		});
	}
}

/** Looks until there is something, and returns it. The pauses double, because n8n sends all data for each look. */
async function poll<T>(
	what: string,
	look: () => Promise<T | undefined>,
	withinMs = 60_000,
): Promise<T> {
	const deadline = Date.now() + withinMs;
	for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, 500)) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await sleep(pauseMs);
	}
}

/** Does something that n8n may refuse for a moment. */
async function untilDone(
	act: () => Promise<unknown>,
	isForAMoment: (error: unknown) => boolean,
): Promise<void> {
	await poll('n8n to be ready', async () => {
		try {
			await act();
			return true;
		} catch (error) {
			if (!isForAMoment(error)) throw error;
			return undefined;
		}
	});
}
