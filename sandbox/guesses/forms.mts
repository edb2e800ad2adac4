import type { AudienceSession } from '../records.mts';

/** What a visitor typed; a field that was left empty is not there. */
export type FormFields = Partial<Record<'name' | 'email' | 'company' | 'message', string>>;

/**
 * The data of a form.submitted event: where the form was sent, and the fields by their names. The payload of a real
 * delivery is not documented: workflows should read it with care and be tried with a delivery that really came.
 */
export const describeFormSubmission = (
	{ formSubmissionId, audienceSessionId, audienceId, pageId, pageTitle, pageUrl }: AudienceSession,
	form: FormFields,
): Record<string, unknown> => ({
	formSubmissionId,
	audienceSessionId,
	audienceId,
	pageId,
	pageTitle,
	pageUrl,
	form,
});

/** The kind of a session's `formSubmissionIdentifier`; the form asks for an address and for no phone number. */
export const formIdentifierType = 'email';

/** Each field of a form is one interaction: a session has no other place for a name, a company or a message. */
export const formComponentContext = 'form';
