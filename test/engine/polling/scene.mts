import type { INodeParameters } from 'n8n-workflow';
import type { SandboxOptions } from '../../../sandbox/index.mts';
import { openStage } from '../stage.mts';
import { type Engine, PolledWorkflow } from './polledWorkflow.mts';

const hourMs = 3_600_000;

/** A sandbox, and workflows that poll it. */
export function openScene(options?: SandboxOptions) {
	const stage = openStage(options);
	let made = 0;
	return {
		get sandbox() {
			return stage.sandbox;
		},

		get credential() {
			return stage.credential;
		},

		/** A page with the sandbox's own sessions, all of them long past. */
		get pageId(): string {
			return stage.sandbox.store.pages.all()[0].pageId;
		},

		get accountId(): string {
			return stage.sandbox.store.accounts.all()[0].accountId;
		},

		poll(parameters: INodeParameters, engine: Engine = 'memory'): PolledWorkflow {
			return new PolledWorkflow({
				engine,
				credential: stage.credential,
				parameters: { pageId: this.pageId, accountId: this.accountId, ...parameters },
			});
		},

		/** A session that is in the service from now on. */
		addSession({ hoursAgo = 0, isSubmitted = false, ...more }: NewSession = {}) {
			const { sessions } = stage.sandbox.store;
			const number = ++made;
			const session = {
				...sessions.of(this.pageId)[0],
				audienceSessionId: `audsession_new${number}`,
				formSubmissionId: isSubmitted ? `form_new${number}` : '',
				hasFormSubmit: isSubmitted,
				formSubmissionEmail: isSubmitted ? `visitor${number}@example.com` : '',
				sessionStartedAt: new Date(Date.now() - hoursAgo * hourMs).toISOString(),
				...more,
			};
			sessions.add(session);
			return session;
		},
	};
}

interface NewSession {
	hoursAgo?: number;
	isSubmitted?: boolean;
	pageId?: string;
	audienceSessionId?: string;
	formSubmissionId?: string;
	sessionStartedAt?: string;
}

export type Scene = ReturnType<typeof openScene>;
