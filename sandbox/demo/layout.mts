import type { Page } from '../records/index.mts';
import { html, type Html } from '../web/html.mts';
import type { WebPage } from '../web/page.mts';
import { chooseAccent } from './accent.mts';
import { targetOf } from './links.mts';

export interface DemoPage {
	status: number;
	title: string;
	description?: string;
	/** Gives the colour, the brand and the footer's links. Absent on an error page. */
	page?: Page;
	/** The button in the header. */
	action?: { href: string; title: string };
	main: Html;
	/** Shown above the links of the page. */
	footer?: Html;
}

const brandOf = (page?: Page): string => page?.metadata?.ogSiteName ?? 'Northwind';

export const pathOf = ({ pageId }: Page): string => `/demo/${encodeURIComponent(pageId)}`;

/** Leaves out the page's own scripts, because the sandbox has no visitors to count. */
export function layOut({
	status,
	title,
	description,
	page,
	action,
	main,
	footer,
}: DemoPage): WebPage {
	const accent = chooseAccent(page?.metadata?.themeColor);
	return {
		status,
		title,
		stylesheet: 'demo.css',
		policy: "form-action 'self'",
		head: (nonce) =>
			html`${description !== undefined &&
				html`<meta name="description" content="${description}" />`}
				<meta name="theme-color" content="${accent}" />
				<style nonce="${nonce}">
					:root {
						--accent: ${accent};
					}
				</style>`,
		body: html`<body id="top">
			<header>
				<nav>
					<ul>
						<li>
							<strong><a href="${page ? pathOf(page) : '/demo'}">${brandOf(page)}</a></strong>
						</li>
					</ul>
					<ul>
						<li><a href="/console">Console</a></li>
						${action && html`<li><a role="button" href="${action.href}">${action.title}</a></li>`}
					</ul>
				</nav>
			</header>
			<main>${main}</main>
			<footer>
				${footer} ${page?.footerLinks.map(renderLinks)}
				<small>${brandOf(page)} is fictional. This is the demo page of the sandbox.</small>
			</footer>
		</body>`,
	};
}

const renderLinks = ({ title, links }: Page['footerLinks'][number]): Html =>
	html`<nav aria-label="${title}">
		<ul>
			<li><strong>${title}</strong></li>
			${links.map(({ text, url }) => html`<li><a href="${targetOf(url, '#top')}">${text}</a></li>`)}
		</ul>
	</nav>`;
