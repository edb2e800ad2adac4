import type { Deliveries, Delivery } from '../deliveries/deliveries.mts';
import { enrichmentData, type EnrichmentKind } from '../deliveries/exampleData.mts';
import {
	writeFormSubmission,
	formComponentContext,
	formIdentifierType,
	notHappened,
	writeMoment,
	type FormFields,
} from '../guesses.mts';
import type { AudienceSession, Page } from '../records/index.mts';
import { slugify } from '../slug.mts';
import type { Store } from '../store/store.mts';
import { fields, type FieldName } from './form.mts';
import type { Visit } from './visit.mts';

/** Stores the visit and emits form.submitted. Resolves when every delivery has a response or has failed. */
export async function submitForm(
	store: Store,
	deliveries: Deliveries,
	page: Page,
	form: FormFields,
	visit: Visit,
): Promise<AudienceSession> {
	const session = store.sessions.add(makeSession(store, page, form, visit));
	addInteractions(store, session, form);
	await deliveries.emit('form.submitted', writeFormSubmission(session, form));
	return session;
}

/** Emits what may follow a submitted form. The real service decides by itself whether it enriches one. */
export async function emitEnrichment(
	store: Store,
	deliveries: Deliveries,
	session: AudienceSession,
	kind: EnrichmentKind,
): Promise<void> {
	const submission = writeFormSubmission(session, readForm(store, session));
	await deliveries.emit(kind, { ...submission, ...enrichmentData[kind] });
}

/** The deliveries that a session's form caused. */
export const listDeliveries = ({ made }: Deliveries, sessionId: string): Delivery[] =>
	made.filter(({ payload: { data } }) => isOfSession(data, sessionId));

const isOfSession = (data: unknown, sessionId: string): boolean =>
	typeof data === 'object' &&
	data !== null &&
	'audienceSessionId' in data &&
	data.audienceSessionId === sessionId;

function makeSession(
	{ audiences, randomness }: Store,
	{ pageId, name, title }: Page,
	{ email = notHappened }: FormFields,
	{ openedAtMs, ...campaign }: Visit,
): AudienceSession {
	const audience = audiences.of(pageId).find(({ status }) => status === 'published');
	const nowMs = Date.now();
	return {
		audienceSessionId: randomness.id('audsession'),
		analyticsSessionId: randomness.id('anasession'),
		audienceId: audience?.audienceId ?? notHappened,
		pageId,
		pageTitle: title,
		pageUrl: `https://pages.northwind.example/${slugify(name)}`,
		computationStatus: 'completed',
		formSubmissionId: randomness.id('submission'),
		formSubmissionEmail: email,
		formSubmissionPhone: notHappened,
		formSubmissionIdentifier: email,
		formSubmissionIdentifierType: formIdentifierType,
		hasConversion: true,
		hasFormSubmit: true,
		isBounce: false,
		maxScrollDepthPercentage: 100,
		questionsAskedCount: 0,
		totalClicksCount: 1,
		timeSpentSeconds: Math.round((nowMs - openedAtMs) / 1000),
		sessionStartedAt: writeMoment(new Date(openedAtMs)),
		sessionEndedAt: writeMoment(new Date(nowMs)),
		...campaign,
	};
}

const componentOf = (name: FieldName): string => `contact-form-${name}`;

/** What the visitor typed, which only the session's interactions keep. */
function readForm({ interactions }: Store, { audienceSessionId }: AudienceSession): FormFields {
	const form: FormFields = {};
	for (const { name } of fields) {
		const typed = interactions
			.of(audienceSessionId)
			.find(({ interaction }) => interaction.componentId === componentOf(name));
		if (typed) form[name] = typed.interaction.responseText;
	}
	return form;
}

function addInteractions(store: Store, session: AudienceSession, form: FormFields): void {
	const { audienceSessionId, sessionEndedAt } = session;
	for (const { name, label } of fields) {
		const typed = form[name];
		if (typed === undefined) continue;
		const interaction = {
			componentContext: formComponentContext,
			componentId: componentOf(name),
			groundingChunkIds: [],
			label,
			options: [],
			responseText: typed,
			timestamp: Date.parse(sessionEndedAt),
		};
		store.interactions.add({ audienceSessionId, interaction });
	}
}
