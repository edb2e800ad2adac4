import { html, type Html } from '../html.mts';
import type { ActionCardWidget, Page, PageAction } from '../records.mts';
import type { Store } from '../store.mts';
import { isComplete, renderForm, type Entry } from './form.mts';
import { pathOf, type Document } from './layout.mts';
import { targetOf } from './links.mts';
import { writeVisit, type Visit } from './visit.mts';

const searchedSessions = 50;
const shownQuestions = 6;
const shownPages = 40;

/** The first of the context's sentences says what the page is about, the rest is meant for its author. */
export const describePage = ({ metadata, pageContext }: Page): string =>
	metadata?.description ?? pageContext.split(/(?<=[.!?])\s/)[0];

const headerActionOf = ({ actions, headerActionId }: Page): PageAction | undefined =>
	actions.find(({ actionId }) => actionId === headerActionId) ?? actions[0];

/** What visitors of the page asked its chat, each question once. */
function listQuestions({ sessions, interactions }: Store, { pageId }: Page): string[] {
	const asked = sessions
		.of(pageId)
		.slice(0, searchedSessions)
		.flatMap(({ audienceSessionId }) => interactions.of(audienceSessionId))
		.filter(({ interaction }) => interaction.componentContext === 'chat')
		.map(({ interaction }) => interaction.label);
	return [...new Set(asked)].slice(0, shownQuestions);
}

/** An example's logos have no file: the company is read from what the image would be called. */
const renderWidget = ({ title, logos }: ActionCardWidget): Html =>
	html`<section class="logos">
		<h2>${title}</h2>
		<ul>
			${logos.map(({ image }) => html`<li>${image.altText.replace(/^Logo of /i, '')}</li>`)}
		</ul>
	</section>`;

const renderQuestions = (questions: string[], contact: string): Html =>
	html`<section class="questions" id="more">
		<h2>What visitors ask</h2>
		<ul>
			${questions.map((question) => html`<li>${question}</li>`)}
		</ul>
		<p>Yours is not among them? <a href="${contact}">Send it to us</a>.</p>
	</section>`;

const renderOthers = ({ pages }: Store, shown: Page): Html =>
	html`<details>
		<summary>Other pages</summary>
		<ul>
			${pages
				.all()
				.filter((page) => page !== shown)
				.slice(0, shownPages)
				.map((page) => html`<li><a href="${pathOf(page)}">${page.name}</a> ${page.status}</li>`)}
		</ul>
	</details>`;

function renderActions({ actions }: Page, main: PageAction | undefined, more: string): Html[] {
	return actions.map((action) => {
		const href = targetOf(action.url, action === main ? '#contact' : more);
		const look = action === main ? 'button primary' : 'button quiet';
		return html`<a class="${look}" href="${href}">${action.buttonTitle}</a>`;
	});
}

/** The page of a store as a visitor would see it. */
export function describeLanding(store: Store, page: Page, visit: Visit, entry: Entry): Document {
	const questions = listQuestions(store, page);
	const main = headerActionOf(page);
	const buttonTitle = main?.buttonTitle ?? 'Send';
	const body = html`<section class="hero">
			<div class="pitch">
				<h1>${page.name}</h1>
				<p class="lead">${describePage(page)}</p>
				<p class="actions">
					${renderActions(page, main, questions.length > 0 ? '#more' : '#contact')}
				</p>
			</div>
			<div class="card" id="contact">
				<h2>${main?.purpose ?? 'Get in touch'}</h2>
				${renderForm({ action: pathOf(page), entry, hidden: writeVisit(visit), buttonTitle })}
			</div>
		</section>
		${page.actionCardWidgets.map(renderWidget)}
		${questions.length > 0 && renderQuestions(questions, '#contact')}`;
	return {
		status: isComplete(entry) ? 200 : 422,
		title: isComplete(entry) ? page.title : `Not sent: ${page.title}`,
		description: describePage(page),
		page,
		action: main && { href: targetOf(main.url, '#contact'), title: main.buttonTitle },
		ribbon: html`${page.status !== 'published' && html`<span class="status">${page.status}</span>`}
		${renderOthers(store, page)}`,
		body,
	};
}
