import express, { type ErrorRequestHandler, type Response, type Router } from 'express';
import { ApiError, invalidRequest, recordNotFound, toApiError } from '../api/errors.mts';
import type { Deliveries } from '../deliveries/deliveries.mts';
import { findPage } from '../endpoints/pages.mts';
import { enrichmentData, type EnrichmentKind } from '../deliveries/exampleData.mts';
import type { AudienceSession, Page } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { sendPage } from '../web/page.mts';
import { makeErrorPage } from './error.mts';
import { emptyEntry, isComplete, readEntry } from './form.mts';
import { makeLandingPage } from './landing.mts';
import { layOut, type DemoPage } from './layout.mts';
import { emitEnrichment, listDeliveries, submitForm } from './submission.mts';
import { makeThanksPage, thanksPathOf } from './thanks.mts';
import { readVisit } from './visit.mts';

const longestForm = '64kb';

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1]);

const send = (response: Response, page: DemoPage) => sendPage(response, layOut(page));

/** Without an ID, /demo shows the first published page. */
function chooseDefaultPage({ pages }: Store): Page {
	const page = pages.find(({ status }) => status === 'published') ?? pages.all()[0];
	if (!page) throw new ApiError(404, 'not_found', 'The sandbox has no pages');
	return page;
}

function readSent(body: unknown): URLSearchParams {
	if (typeof body === 'string') return new URLSearchParams(body);
	throw new ApiError(
		415,
		'unsupported_media_type',
		'Send the form as application/x-www-form-urlencoded',
	);
}

function findVisit(
	store: Store,
	{ pageId, sessionId }: { pageId: string; sessionId: string },
): { page: Page; session: AudienceSession } {
	const page = findPage(store, pageId);
	const session = store.sessions.get(sessionId);
	if (session?.pageId !== pageId) throw recordNotFound('Session', sessionId);
	return { page, session };
}

const isEnrichment = (kind: string | null): kind is EnrichmentKind =>
	kind !== null && Object.hasOwn(enrichmentData, kind);

/** The routes under /demo: the pages as visitors see them, with a form that emits form.submitted. */
export function createDemo(store: Store, deliveries: Deliveries): Router {
	const router = express.Router();
	const sendLanding = (response: Response, page: Page, url: string) =>
		send(response, makeLandingPage(store, page, readVisit(queryOf(url)), emptyEntry));
	router.get('/', ({ url }, response) => sendLanding(response, chooseDefaultPage(store), url));
	router.get('/:pageId', ({ params, url }, response) =>
		sendLanding(response, findPage(store, params.pageId), url),
	);
	const readBody = express.text({ type: 'application/x-www-form-urlencoded', limit: longestForm });
	router.post('/:pageId', readBody, async ({ params, body }, response) => {
		const page = findPage(store, params.pageId);
		const form = readSent(body);
		const entry = readEntry(form);
		const visit = readVisit(form);
		if (!isComplete(entry)) {
			send(response, makeLandingPage(store, page, visit, entry));
			return;
		}
		const session = await submitForm(store, deliveries, page, entry.typed, visit);
		// A redirect, so that reloading the next page does not submit the form again.
		response.redirect(303, thanksPathOf(page, session));
	});
	const thanks = '/:pageId/thanks/:sessionId';
	router.get(thanks, ({ params, url }, response) => {
		const { page, session } = findVisit(store, params);
		const made = listDeliveries(deliveries, session.audienceSessionId);
		const sent = queryOf(url).get('sent');
		send(response, makeThanksPage(page, session, made, isEnrichment(sent) ? sent : undefined));
	});
	router.post(thanks, readBody, async ({ params, body }, response) => {
		const { page, session } = findVisit(store, params);
		const kind = readSent(body).get('kind');
		if (!isEnrichment(kind)) throw invalidRequest(`The event ${kind} does not follow a form`);
		await emitEnrichment(store, deliveries, session, kind);
		response.redirect(303, `${thanksPathOf(page, session)}?sent=${kind}`);
	});
	router.use(({ originalUrl }) => {
		throw new ApiError(404, 'not_found', `${originalUrl} does not exist`);
	});
	router.use(sendErrorPage);
	return router;
}

/** Express recognizes an error handler by its four parameters. */
const sendErrorPage: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
	const { status, message } = toApiError(error);
	send(response, makeErrorPage(status, message));
};
