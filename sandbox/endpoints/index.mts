import { createAccount, listAccountActivity, searchAccounts, updateAccount } from './accounts.mts';
import {
	archiveAudience,
	listAudiences,
	listAudienceVersions,
	restoreAudience,
	updateAudience,
} from './audiences.mts';
import type { Handlers } from './call.mts';
import { updatePageLink } from './pageLinks.mts';
import { createPage, searchPages, updatePage } from './pages.mts';
import { createPersonLog } from './personLogs.mts';
import { createPerson, listPersons, searchPersons } from './persons.mts';
import {
	getPageAnalyticsSummary,
	listAudienceSessions,
	listSessionInteractions,
} from './sessions.mts';
import {
	getWebhookSubscription,
	listWebhookSubscriptions,
	updateWebhookSubscription,
} from './subscriptions.mts';

/** The handler of each operation in openapi.yaml, by its operationId. The compiler says which one is missing. */
export const handlers: Handlers = {
	archiveAudience,
	createAccount,
	createPage,
	createPerson,
	createPersonLog,
	getPageAnalyticsSummary,
	getWebhookSubscription,
	listAccountActivity,
	listAudiences,
	listAudienceSessions,
	listAudienceVersions,
	listPersons,
	listSessionInteractions,
	listWebhookSubscriptions,
	restoreAudience,
	searchAccounts,
	searchPages,
	searchPersons,
	updateAccount,
	updateAudience,
	updatePage,
	updatePageLink,
	updateWebhookSubscription,
};
