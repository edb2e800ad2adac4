import type { Delivery } from '../deliveries/deliveries.mts';
import { enrichmentData, type EnrichmentKind } from '../deliveries/exampleData.mts';
import type { AudienceSession, EventKind, Page } from '../records/index.mts';
import { html, type Html } from '../web/html.mts';
import { pathOf, type DemoPage } from './layout.mts';

const isSuccess = ({ status = 0 }: Delivery): boolean => status >= 200 && status < 300;

function describeOutcome({ status, error }: Delivery): string {
	return status === undefined ? (error ?? 'No response yet') : `Status ${status}`;
}

/** The query may hold a secret of the receiver. */
const withoutQuery = (url: string): string => url.split('?')[0];

function summarizeDeliveries(kind: EventKind, deliveries: readonly Delivery[]): string {
	const count = deliveries.length;
	if (count === 0) return `No active webhook subscription wants ${kind}, so nothing was sent.`;
	const succeeded = deliveries.filter(isSuccess).length;
	return `${succeeded} of ${count} ${count === 1 ? 'delivery' : 'deliveries'} of ${kind} succeeded.`;
}

const renderDelivery = (delivery: Delivery): Html =>
	html`<li>
		<strong>${withoutQuery(delivery.url)}</strong><br />
		${isSuccess(delivery)
			? html`<ins>${describeOutcome(delivery)}</ins>`
			: describeOutcome(delivery)}<br />
		<small>${delivery.subscriptionId}</small>
	</li>`;

const renderDeliveries = (kind: EventKind, deliveries: readonly Delivery[]): Html =>
	html`<p>${summarizeDeliveries(kind, deliveries)}</p>
		<ul>
			${deliveries.map(renderDelivery)}
		</ul>`;

export const thanksPathOf = (page: Page, { audienceSessionId }: AudienceSession): string =>
	`${pathOf(page)}/thanks/${audienceSessionId}`;

const renderNext = (path: string): Html =>
	html`<form method="post" action="${path}" id="next">
		<p>Next, the service may try to enrich the form. Choose how that ends:</p>
		${Object.keys(enrichmentData).map(
			(kind) => html`<button name="kind" value="${kind}">Send ${kind}</button>`,
		)}
	</form>`;

/** Shows what submitting the form did. `sent` is the event that was sent for it from this page. */
export function makeThanksPage(
	page: Page,
	session: AudienceSession,
	deliveries: readonly Delivery[],
	sent?: EnrichmentKind,
): DemoPage {
	const madeFor = (wanted: EventKind) => deliveries.filter(({ kind }) => kind === wanted);
	return {
		status: 200,
		title: `Thank you: ${page.title}`,
		page,
		main: html`<section class="grid">
			<article>
				<h1>Thank you</h1>
				<p>
					We will reply to <strong>${session.formSubmissionEmail}</strong> within one working day.
				</p>
				<p><a href="${pathOf(page)}">Back to ${page.name}</a></p>
			</article>
			<article>
				<h2>What the sandbox did</h2>
				${renderDeliveries('form.submitted', madeFor('form.submitted'))}
				${sent && renderDeliveries(sent, madeFor(sent))}
				<p>
					It added the audience session <code>${session.audienceSessionId}</code> to this page, with
					one interaction for each field of the form.
				</p>
				<p>
					<a href="/console">Open the console</a> to see what comes back, such as a person log. Or
					<a href="${pathOf(page)}#contact">submit the form again</a>.
				</p>
				${renderNext(thanksPathOf(page, session))}
			</article>
		</section>`,
	};
}
