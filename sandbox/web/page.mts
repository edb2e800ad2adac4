import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { html, type Html } from './html.mts';

export interface WebPage {
	status?: number;
	title: string;
	/** Further tags for the head. A `style` or `script` needs the nonce. */
	head?: (nonce: string) => Html;
	body: Html;
	/** Its own stylesheet under /styles, which adds to Pico's. */
	stylesheet: string;
	/** What the page may do besides showing itself, as directives of a content security policy. */
	policy: string;
}

/** No page can load anything from another origin or be framed, whatever records and visitors put on it. */
export function sendPage(response: Response, page: WebPage): void {
	const nonce = randomBytes(16).toString('base64');
	const content = html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>${page.title}</title>
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/styles/pico.css" />
				<link rel="stylesheet" href="/styles/${page.stylesheet}" />
				${page.head?.(nonce)}
			</head>
			${page.body}
		</html>`;
	response
		.status(page.status ?? 200)
		.set({
			'content-security-policy': `default-src 'none'; img-src data:; style-src 'self' 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'; ${page.policy}`,
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
		})
		.type('html')
		.send(content.toString());
}
