import express, { type ErrorRequestHandler, type Response, type Router } from 'express';
import type { Deliveries } from '../deliveries.mts';
import { getPage } from '../operations/pages.mts';
import type { Page } from '../records.mts';
import { explain, Refusal, unknownRecord } from '../refusal.mts';
import type { Store } from '../store.mts';
import { emptyEntry, isComplete, readEntry } from './form.mts';
import { describeLanding } from './landing.mts';
import { pathOf, sendDocument } from './layout.mts';
import { listDeliveries, submit } from './submission.mts';
import { describeRefusal, describeThanks } from './thanks.mts';
import { readVisit } from './visit.mts';

const here = { root: import.meta.dirname };
const longestForm = '64kb';

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1]);

/** The page that is shown when none is named: the first that visitors could see. */
function choosePage({ pages }: Store): Page {
	const page = pages.find(({ status }) => status === 'published') ?? pages.all()[0];
	if (!page) throw new Refusal(404, 'not_found', 'The sandbox has no page');
	return page;
}

/** The seeded pages as their visitors see them, below /demo, with a form that really emits. */
export function createDemo(store: Store, deliveries: Deliveries): Router {
	const router = express.Router();
	const show = (response: Response, page: Page, url: string) =>
		sendDocument(response, describeLanding(store, page, readVisit(queryOf(url)), emptyEntry));
	router.get('/', ({ url }, response) => show(response, choosePage(store), url));
	router.get('/style.css', (_request, response) => response.sendFile('style.css', here));
	router.get('/:pageId', ({ params, url }, response) =>
		show(response, getPage(store, params.pageId), url),
	);
	router.post(
		'/:pageId',
		express.text({ type: 'application/x-www-form-urlencoded', limit: longestForm }),
		async ({ params, body }, response) => {
			const page = getPage(store, params.pageId);
			if (typeof body !== 'string') {
				throw new Refusal(415, 'unsupported_media_type', 'A form is sent as a browser sends it');
			}
			const form = new URLSearchParams(body);
			const entry = readEntry(form);
			const visit = readVisit(form);
			if (!isComplete(entry)) {
				sendDocument(response, describeLanding(store, page, visit, entry));
				return;
			}
			const session = await submit(store, deliveries, page, entry.typed, visit);
			// Reloading what follows does not send the form again.
			response.redirect(303, `${pathOf(page)}/thanks/${session.audienceSessionId}`);
		},
	);
	router.get('/:pageId/thanks/:sessionId', ({ params: { pageId, sessionId } }, response) => {
		const page = getPage(store, pageId);
		const session = store.sessions.get(sessionId);
		if (session?.pageId !== pageId) throw unknownRecord('session', sessionId);
		sendDocument(response, describeThanks(page, session, listDeliveries(deliveries, sessionId)));
	});
	router.use(({ originalUrl }) => {
		throw new Refusal(404, 'not_found', `There is no ${originalUrl}`);
	});
	router.use(answerRefusal);
	return router;
}

/** Express tells error handlers from others by their four parameters. */
const answerRefusal: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
	const { status, message } = explain(error);
	sendDocument(response, describeRefusal(status, message));
};
