import { html } from '../web/html.mts';
import type { DemoPage } from './layout.mts';

export const makeErrorPage = (status: number, message: string): DemoPage => ({
	status,
	title: 'Sandbox demo',
	main: html`<article>
		<h1>${status === 404 ? 'Page not found' : 'Your request failed'}</h1>
		<p>${message}</p>
		<p><a href="/demo">Go to the demo page</a></p>
	</article>`,
});
