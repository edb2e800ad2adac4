import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { html, type Html } from '../html.mts';
import type { Page } from '../records.mts';
import { chooseAccent } from './accent.mts';
import { targetOf } from './links.mts';

export interface Document {
	status: number;
	title: string;
	description?: string;
	/** Absent where there is no page to take a colour, a brand or links from. */
	page?: Page;
	/** The button in the header: where it leads and what it says. */
	action?: { href: string; title: string };
	/** Beside the remark that this is a demo. */
	ribbon?: Html;
	body: Html;
}

const brandOf = (page?: Page): string => page?.metadata?.ogSiteName ?? 'Northwind';

export const pathOf = ({ pageId }: Page): string => `/demo/${encodeURIComponent(pageId)}`;

/** Nothing of another origin is loaded, no script runs and no frame shows it, whatever a page or a visitor holds. */
const contentPolicy = (nonce: string): string =>
	`default-src 'none'; img-src data:; style-src 'self' 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The page's own scripts are left out: the sandbox has no visitors to count. */
export function sendDocument(response: Response, document: Document): void {
	const { status, title, description, page, action, ribbon, body } = document;
	const nonce = randomBytes(16).toString('base64');
	const accent = chooseAccent(page?.metadata?.themeColor);
	const home = page ? pathOf(page) : '/demo';
	const content = html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				${description !== undefined && html`<meta name="description" content="${description}" />`}
				<meta name="theme-color" content="${accent}" />
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/demo/style.css" />
				<style nonce="${nonce}">
					:root {
						--accent: ${accent};
					}
				</style>
			</head>
			<body id="top">
				<a class="skip" href="#main">Skip to the content</a>
				<aside class="ribbon" aria-label="About this demo">
					<p>Demo page of the sandbox: what you send goes to its active webhook subscriptions.</p>
					<div class="links">${ribbon}<a href="/console">Console</a></div>
				</aside>
				<header class="bar">
					<a class="brand" href="${home}"><span aria-hidden="true"></span>${brandOf(page)}</a>
					${action && html`<a class="button" href="${action.href}">${action.title}</a>`}
				</header>
				<main id="main">${body}</main>
				<footer>
					${page && renderFooter(page)}
					<p class="end">${brandOf(page)} is invented, like everything on this page.</p>
				</footer>
			</body>
		</html>`;
	response
		.status(status)
		.set({
			'content-security-policy': contentPolicy(nonce),
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
		})
		.type('html')
		.send(content.toString());
}

const renderFooter = ({ footerLinks }: Page): Html[] =>
	footerLinks.map(
		({ title, links }) =>
			html`<nav aria-label="${title}">
				<h2>${title}</h2>
				<ul>
					${links.map(
						({ text, url }) => html`<li><a href="${targetOf(url, '#top')}">${text}</a></li>`,
					)}
				</ul>
			</nav>`,
	);
