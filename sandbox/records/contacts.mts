export interface Person {
	personId: string;
	tenantId: string;
	name: string;
	email: string | null;
	domain: string | null;
	slug: string;
	phoneNumber: string | null;
	linkedinProfileUrl: string | null;
	createdAt: string;
	updatedAt: string;
}

/** As stored. Responses leave out the payload and the idempotency key. */
export interface PersonLog {
	personId: string;
	personLogId: string;
	createdAt: string;
	createdPerson: boolean;
	source: string;
	type: string;
	payload: Record<string, unknown>;
	idempotencyKey: string | null;
}

/** As stored. Linked persons are not kept here: they are the people with the account's domain. */
export interface Account {
	accountId: string;
	tenantId: string;
	domain: string;
	name: string | null;
	createdAt: string;
	updatedAt: string;
	latestActivityAt: string | null;
}

export interface AccountActivity {
	activityId: string;
	activityType: string;
	accountId: string;
	accountLogId: string | null;
	personId: string | null;
	personLogId: string | null;
	personName: string | null;
	source: string;
	type: string;
	payload: Record<string, unknown>;
	idempotencyKey: string | null;
	createdAt: string;
	updatedAt: string;
	deletedAt: string | null;
}
