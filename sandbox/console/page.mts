import { eventKinds } from '../records/index.mts';
import { html, type Html } from '../web/html.mts';
import type { WebPage } from '../web/page.mts';
import type { Kind } from './entries.mts';

/** A card with the entries of a kind. The browser fills the table. */
const renderList = (kind: Kind, title: string, emptyText: Html): Html =>
	html`<article aria-labelledby="${kind}-title">
		<header>
			<h2 id="${kind}-title">${title} <small data-total="${kind}"></small></h2>
		</header>
		<table aria-labelledby="${kind}-title">
			<tbody data-list="${kind}"></tbody>
		</table>
		<p>${emptyText}</p>
	</article>`;

const sendForm = html`<form id="send-event" aria-labelledby="send-title">
	<h2 id="send-title">Send an example event</h2>
	${eventKinds.map((kind) => html`<button name="kind" value="${kind}">${kind}</button>`)}
	<small role="status" id="send-result">
		Each button sends its event with example data to every active subscription that wants it.
	</small>
</form>`;

const detailsDialog = html`<dialog aria-labelledby="details-title">
	<article>
		<header>
			<button rel="prev" aria-label="Close"></button>
			<h2 id="details-title"></h2>
		</header>
		<div id="details"></div>
	</article>
</dialog>`;

export const consolePage: WebPage = {
	title: 'Sandbox console',
	stylesheet: 'console.css',
	policy: "script-src 'self'; connect-src 'self'; form-action 'none'",
	head: () => html`<script type="module" src="/console/browser/main.mts"></script>`,
	body: html`<body>
		<header>
			<nav>
				<ul>
					<li><h1>Sandbox console</h1></li>
					<li><small id="state" role="status" aria-busy="true">Connecting …</small></li>
				</ul>
				<ul>
					<li><a href="/demo">Demo page</a></li>
				</ul>
			</nav>
			<noscript>
				<p>
					The console needs JavaScript. Its data is also at /sandbox/requests and
					/sandbox/deliveries.
				</p>
			</noscript>
			${sendForm}
		</header>
		<main>
			${renderList('subscriptions', 'Webhook subscriptions', html`No subscriptions.`)}
			${renderList(
				'deliveries',
				'Deliveries',
				html`None yet. Send an event, or submit the form of the <a href="/demo">demo page</a>.`,
			)}
			${renderList(
				'personLogs',
				'Person logs',
				html`None yet. Run a workflow that writes person logs.`,
			)}
			${renderList('requests', 'Requests', html`None yet. Run a workflow that uses the API.`)}
		</main>
		${detailsDialog}
	</body>`,
};
