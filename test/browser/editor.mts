import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContext,
	type Locator,
} from 'playwright-core';
import { findChromium, noChromium, type ChromiumBinary } from '../../tools/browser.mts';
import { browserId, type N8nSession } from '../../tools/n8n/session.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';
import { describeWorkflow, setUpN8n, type N8nSetup, startNode, tested } from '../n8n/n8nSetup.mts';

// The editor renders slowly on a busy machine.
const patienceMs = 90_000;
jest.setTimeout(3 * patienceMs);

// The attribute by which n8n names the parts of its editor.
selectors.setTestIdAttribute('data-test-id');

type PanelOptions = { name?: string; items?: JsonObject[]; settings?: JsonObject };
type Editor = Awaited<ReturnType<typeof openWith>>;

/** Where the screenshots are, of which the documentation shows some. */
const screenshots = join(import.meta.dirname, '../../.cache/screenshots');

export const usualSize = { width: 1440, height: 1000 };

/** A style for pictures. n8n's notifications, and its suggestions for a new workflow, cover what is shown. */
const uncovered = `.el-notification, [data-reka-popper-content-wrapper]:has([data-test-id=suggested-action-item]) {
	visibility: hidden;
}`;

/** The running n8n's editor, signed in, with a sandbox and its credential, for the tests that follow. */
export function openEditor(): Editor {
	const setup = setUpN8n();
	const editor = {} as Editor;
	let browser: Browser | undefined;
	beforeAll(async () => {
		const binary = await findChromium();
		if (!binary) throw new Error(noChromium);
		browser = await launch(binary);
		Object.assign(editor, await openWith(browser, setup));
	});
	afterAll(async () => await browser?.close());
	return editor;
}

async function openWith(browser: Browser, setup: N8nSetup) {
	const { client, sandbox, credential } = setup;
	const { url } = client.session;
	const context = await browser.newContext({ viewport: usualSize, deviceScaleFactor: 2 });
	await continueSession(context, client.session);
	const page = await context.newPage();
	page.setDefaultTimeout(patienceMs);

	return {
		...{ page, url, client, sandbox, credential, setup },
		/** Opens the panel of one of the package's nodes, alone in a workflow or after a trigger with these items. */
		openPanel: async (
			node: 'pageAudience' | 'pageAudienceTrigger',
			parameters: JsonObject,
			{ name = tested, items, settings }: PanelOptions = {},
		): Promise<Locator> => {
			const id = randomUUID();
			const type = `n8n-nodes-page-audience.${node}`;
			const described = describeWorkflow(parameters, credential, { id, name, type, ...settings });
			const [trigger, own] = described.nodes;
			const to = [[{ node: name, type: 'main' as const, index: 0 }]];
			const workflow = await setup.createWorkflow({
				name: node,
				nodes: items ? [trigger, own] : [own],
				connections: items ? { [startNode]: { main: to } } : {},
				...(items && { pinData: { [startNode]: items.map((json) => ({ json })) } }),
			});
			await page.goto(`${url}/workflow/${workflow}/${id}`);
			const panel = page.getByTestId('ndv');
			await panel.getByTestId('node-parameters').first().waitFor();
			return panel;
		},
		/** Saves a screenshot of this part in .cache/screenshots, without what covers it. */
		photograph: async (name: string, part: Locator): Promise<void> => {
			const clip = await part.boundingBox();
			if (!clip) throw new Error('This part is not shown');
			const path = join(screenshots, `${name}.png`);
			await page.screenshot({ path, animations: 'disabled', clip, style: uncovered });
		},
	};
}

async function launch({ path, env }: ChromiumBinary): Promise<Browser> {
	const args = [
		// Chromium's own sandbox does not run as root, as in most containers.
		...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
		...['--disable-component-update', '--disable-sync', '--disable-quic'],
		// With hinting, each letter is as wide as whole pixels, and the letters stand apart.
		'--font-render-hinting=none',
	];
	return await chromium.launch({ executablePath: path, env, args });
}

/** Signed in as the tests are, because n8n takes only five logins a minute. */
async function continueSession(context: BrowserContext, { url, cookie }: N8nSession) {
	const [name, value] = cookie.split(/[=;]/);
	await context.addCookies([{ name, value, url }]);
	await context.addInitScript((id) => {
		localStorage.setItem('n8n-browserId', id);
		// Without it, n8n covers the first output with an explanation of pinning.
		localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true');
	}, browserId);
}
