import type { Delivery } from '../deliveries.mts';
import { html, type Html } from '../html.mts';
import type { AudienceSession, Page } from '../records.mts';
import { pathOf, type Document } from './layout.mts';

const isTaken = ({ status = 0 }: Delivery): boolean => status >= 200 && status < 300;

function describeAnswer({ status, error }: Delivery): string {
	if (status !== undefined) return `answered ${status}`;
	return error ?? 'no answer yet';
}

/** Without its query, where receivers keep their secrets. */
const shortenUrl = (url: string): string => url.split('?')[0];

function summarize(made: readonly Delivery[]): string {
	if (made.length === 0) {
		return 'No delivery went out: no active webhook subscription wants form.submitted.';
	}
	const taken = made.filter(isTaken).length;
	return `${taken} of ${made.length} deliveries of form.submitted ${taken === 1 ? 'was' : 'were'} answered with success.`;
}

const renderDelivery = (delivery: Delivery): Html =>
	html`<li class="${isTaken(delivery) ? 'taken' : 'lost'}">
		<span class="url">${shortenUrl(delivery.url)}</span>
		<span class="answer">${describeAnswer(delivery)}</span>
		<small>${delivery.subscriptionId}</small>
	</li>`;

/** What came of a form that was sent. */
export function describeThanks(
	page: Page,
	session: AudienceSession,
	made: readonly Delivery[],
): Document {
	return {
		status: 200,
		title: `Thank you: ${page.title}`,
		page,
		body: html`<section class="thanks">
			<div class="card">
				<p class="check" aria-hidden="true">✓</p>
				<h1>Thank you</h1>
				<p>We answer to <strong>${session.formSubmissionEmail}</strong> within a working day.</p>
				<p><a href="${pathOf(page)}">Back to ${page.name}</a></p>
			</div>
			<div class="card backstage">
				<h2>What the sandbox did</h2>
				<p>${summarize(made)}</p>
				<ul class="deliveries">
					${made.map(renderDelivery)}
				</ul>
				<p>
					The visit was added to the page’s audience sessions as
					<code>${session.audienceSessionId}</code>, with one interaction for each field of the
					form.
				</p>
				<p>
					<a href="/console">See in the console</a> what comes back, such as a person log. Or
					<a href="${pathOf(page)}#contact">send another form</a>.
				</p>
			</div>
		</section>`,
	};
}

export const describeRefusal = (status: number, message: string): Document => ({
	status,
	title: 'Not here | Sandbox',
	body: html`<section class="thanks">
		<div class="card">
			<h1>${status === 404 ? 'Nothing here' : 'That did not work'}</h1>
			<p>${message}</p>
			<p><a href="/demo">To the demo page</a></p>
		</div>
	</section>`,
});
