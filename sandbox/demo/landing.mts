import type { ActionCardWidget, Page, PageAction } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { html, type Html } from '../web/html.mts';
import { isComplete, renderForm, type Entry } from './form.mts';
import { pathOf, type DemoPage } from './layout.mts';
import { targetOf } from './links.mts';
import { writeVisit, type Visit } from './visit.mts';

const searchedSessions = 50;
const shownQuestions = 6;
const shownPages = 40;

/** The first sentence of the context is for visitors, the rest for the page's author. */
const summaryOf = ({ metadata, pageContext }: Page): string =>
	metadata?.description ?? pageContext.split(/(?<=[.!?])\s/)[0];

const mainActionOf = ({ actions, headerActionId }: Page): PageAction | undefined =>
	actions.find(({ actionId }) => actionId === headerActionId) ?? actions[0];

/** Questions that visitors asked in the page's chat, without duplicates. */
function listQuestions({ sessions, interactions }: Store, { pageId }: Page): string[] {
	const asked = sessions
		.of(pageId)
		.slice(0, searchedSessions)
		.flatMap(({ audienceSessionId }) => interactions.of(audienceSessionId))
		.filter(({ interaction }) => interaction.componentContext === 'chat')
		.map(({ interaction }) => interaction.label);
	return [...new Set(asked)].slice(0, shownQuestions);
}

/** The seed's logos have no image files, so this shows the company's name from the alt text. */
const renderWidget = ({ title, logos }: ActionCardWidget): Html =>
	html`<section class="logos">
		<small>${title}</small>
		${logos.map(({ image }) => html`<strong>${image.altText.replace(/^Logo of /i, '')}</strong>`)}
	</section>`;

const renderQuestions = (questions: string[]): Html =>
	html`<section id="more">
		<h2>Questions from visitors</h2>
		<div class="grid">${questions.map((question) => html`<article>${question}</article>`)}</div>
		<p>Have another question? <a href="#contact">Ask us</a>.</p>
	</section>`;

const renderOtherPages = ({ pages }: Store, shown: Page): Html =>
	html`<details>
		<summary>Other pages of the sandbox</summary>
		<ul>
			${pages
				.all()
				.filter((page) => page !== shown)
				.slice(0, shownPages)
				.map(
					(page) =>
						html`<li><a href="${pathOf(page)}">${page.name}</a> <small>${page.status}</small></li>`,
				)}
		</ul>
	</details>`;

function renderAction(action: PageAction, isMain: boolean, moreTarget: string): Html {
	const href = targetOf(action.url, isMain ? '#contact' : moreTarget);
	return html`<a${isMain && html` role="button"`} href="${href}">${action.buttonTitle}</a>`;
}

/** Shows a page as its visitors would see it. */
export function makeLandingPage(store: Store, page: Page, visit: Visit, entry: Entry): DemoPage {
	const questions = listQuestions(store, page);
	const mainAction = mainActionOf(page);
	const buttonTitle = mainAction?.buttonTitle ?? 'Send';
	const moreTarget = questions.length > 0 ? '#more' : '#contact';
	return {
		status: isComplete(entry) ? 200 : 422,
		title: isComplete(entry) ? page.title : `Not sent: ${page.title}`,
		description: summaryOf(page),
		page,
		action: mainAction && { href: targetOf(mainAction.url, '#contact'), title: buttonTitle },
		main: html`<section class="hero grid">
				<div>
					${page.status !== 'published' && html`<mark>${page.status}</mark>`}
					<h1>${page.name}</h1>
					<p>${summaryOf(page)}</p>
					<p>
						${page.actions.map((action) => renderAction(action, action === mainAction, moreTarget))}
					</p>
				</div>
				<article id="contact">
					<h2>${mainAction?.purpose ?? 'Get in touch'}</h2>
					${renderForm({ action: pathOf(page), entry, hidden: writeVisit(visit), buttonTitle })}
				</article>
			</section>
			${page.actionCardWidgets.map(renderWidget)}
			${questions.length > 0 && renderQuestions(questions)}`,
		footer: renderOtherPages(store, page),
	};
}
