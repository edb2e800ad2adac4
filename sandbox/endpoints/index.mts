import * as accounts from './accounts.mts';
import * as audiences from './audiences.mts';
import type { Handler } from './call.mts';
import * as pageLinks from './pageLinks.mts';
import * as pages from './pages.mts';
import * as personLogs from './personLogs.mts';
import * as persons from './persons.mts';
import * as sessions from './sessions.mts';
import * as subscriptions from './subscriptions.mts';

/** The handler of each operation in openapi.yaml, by its operationId. */
export const handlers = {
	createPersonLog: personLogs.createPersonLog,
	createPerson: persons.createPerson,
	listPersons: persons.listPersons,
	searchPersons: persons.searchPersons,
	createAccount: accounts.createAccount,
	updateAccount: accounts.updateAccount,
	searchAccounts: accounts.searchAccounts,
	listAccountActivity: accounts.listAccountActivity,
	createPage: pages.createPage,
	updatePage: pages.updatePage,
	searchPages: pages.searchPages,
	listAudiences: audiences.listAudiences,
	updateAudience: audiences.updateAudience,
	archiveAudience: audiences.archiveAudience,
	restoreAudience: audiences.restoreAudience,
	listAudienceVersions: audiences.listAudienceVersions,
	listAudienceSessions: sessions.listAudienceSessions,
	getPageAnalyticsSummary: sessions.getPageAnalyticsSummary,
	listSessionInteractions: sessions.listSessionInteractions,
	updatePageLink: pageLinks.updatePageLink,
	listWebhookSubscriptions: subscriptions.listWebhookSubscriptions,
	getWebhookSubscription: subscriptions.getWebhookSubscription,
	updateWebhookSubscription: subscriptions.updateWebhookSubscription,
} satisfies Record<string, Handler>;

export type OperationId = keyof typeof handlers;
