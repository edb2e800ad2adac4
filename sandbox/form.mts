import type { Deliveries, MadeDelivery } from './deliveries.mts';
import { writeMoment } from './guesses.mts';
import type { Page } from './records.mts';
import { addSession } from './seed/sessions.mts';
import type { Store } from './store/store.mts';

/** What a visitor typed. Empty fields are absent. */
export interface SubmittedForm {
	name?: string;
	email?: string;
	company?: string;
	message?: string;
}

/**
 * A visitor submits the form of a landing page: the page gets a session with what was typed, and form.submitted is
 * delivered. It creates no person. That is left to the receiver of the event.
 */
export async function submitForm(
	store: Store,
	deliveries: Deliveries,
	page: Page,
	form: SubmittedForm,
): Promise<MadeDelivery[]> {
	const { name, email = '', company, message } = form;
	const now = writeMoment();
	const submission = {
		formSubmissionId: store.randomness.id('submission'),
		formSubmissionEmail: email,
		formSubmissionPhone: '',
		formSubmissionIdentifier: email,
		formSubmissionIdentifierType: 'email',
		hasConversion: true,
		hasFormSubmit: true,
		isBounce: false,
		sessionStartedAt: now,
		sessionEndedAt: now,
	};
	const answers = { Name: name, Email: email, Company: company, Message: message };
	const session = addSession(store, page, submission, answers);
	const { formSubmissionId, audienceSessionId, audienceId, pageId, pageTitle, pageUrl } = session;
	const place = { audienceSessionId, audienceId, pageId, pageTitle, pageUrl };
	return await deliveries.emit('form.submitted', { formSubmissionId, ...place, form });
}
