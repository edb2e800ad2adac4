import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContext,
	type Locator,
	type Page,
} from 'playwright-core';
import type { Sandbox } from '../../sandbox/index.mts';
import { findChromium, noChromium, type ChromiumBinary } from '../../tools/browser.mts';
import type { N8nClient } from '../../tools/n8n/client.mts';
import { browserId, type Session } from '../../tools/n8n/session.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference } from '../../tools/n8n/workflow.mts';
import { describeWorkflow, openStage, type Stage, startNode, tested } from '../n8n/stage.mts';
import { waitFor } from '../waitFor.mts';

// The editor renders slowly on a busy machine.
const patienceMs = 90_000;
jest.setTimeout(3 * patienceMs);

type Rectangle = { x: number; y: number; width: number; height: number };

// The attribute by which n8n names the parts of its editor.
selectors.setTestIdAttribute('data-test-id');

export type Editor = {
	page: Page;
	url: string;
	client: N8nClient;
	sandbox: Sandbox;
	credential: CredentialReference;
	stage: Stage;
	/** Opens the panel of one of the package's nodes, alone in a workflow or after a trigger with these items. */
	openPanel(
		node: 'pageAudience' | 'pageAudienceTrigger' | 'pageAudiencePollingTrigger',
		parameters: JsonObject,
		more?: { name?: string; items?: JsonObject[]; settings?: JsonObject },
	): Promise<Locator>;
	/** Opens a workflow's canvas. */
	openCanvas(id: string): Promise<void>;
	/** Saves a screenshot in .cache/screenshots. With parts, it shows these alone, and nothing that covers them. */
	photograph(name: string, ...parts: Locator[]): Promise<void>;
};

/** Where the screenshots are, of which the documentation shows some. */
const screenshots = join(import.meta.dirname, '../../.cache/screenshots');

export const usualSize = { width: 1440, height: 1000 };

/** A style for pictures. n8n's notifications, and its suggestions for a new workflow, cover what is shown. */
const uncovered = `.el-notification, [data-reka-popper-content-wrapper]:has([data-test-id=suggested-action-item]) {
	visibility: hidden;
}`;

/** The running n8n's editor, signed in, with a sandbox and its credential, for the tests that follow. */
export function openEditor(): Editor {
	const stage = openStage();
	const editor = {} as Editor;
	let browser: Browser | undefined;
	beforeAll(async () => {
		const binary = await findChromium();
		if (!binary) throw new Error(noChromium);
		browser = await launch(binary);
		Object.assign(editor, await openWith(browser, stage));
	});
	afterAll(async () => await browser?.close());
	return editor;
}

async function openWith(browser: Browser, stage: Stage): Promise<Editor> {
	const { client, sandbox, credential } = stage;
	const { url } = client.session;
	const context = await browser.newContext({ viewport: usualSize, deviceScaleFactor: 2 });
	await continueSession(context, client.session);
	const page = await context.newPage();
	page.setDefaultTimeout(patienceMs);

	return {
		...{ page, url, client, sandbox, credential, stage },
		openPanel: async (node, parameters, { name = tested, items, settings } = {}) => {
			const id = randomUUID();
			const described = describeWorkflow(parameters, credential, {
				...{ id, name, type: `n8n-nodes-page-audience.${node}` },
				...settings,
			});
			const [trigger, own] = described.nodes;
			const to = [[{ node: name, type: 'main' as const, index: 0 }]];
			const workflow = await stage.createWorkflow({
				name: node,
				nodes: items ? [trigger, own] : [own],
				connections: items ? { [startNode]: { main: to } } : {},
				...(items && { pinData: { [startNode]: items.map((json) => ({ json })) } }),
			});
			return await openPanelOf(page, `${url}/workflow/${workflow}`, id);
		},
		openCanvas: async (id) => {
			const { nodes } = await client.getWorkflow(id);
			const node = nodes.find(({ type }) => !type.endsWith('.stickyNote'));
			await visit(page, `${url}/workflow/${id}`, findOnCanvas(page, String(node?.id)));
		},
		photograph: async (name, ...parts) => {
			const path = join(screenshots, `${name}.png`);
			const clip = parts.length > 0 ? { clip: await frame(parts), style: uncovered } : {};
			await page.screenshot({ path, animations: 'disabled', ...clip });
		},
	};
}

async function openPanelOf(page: Page, address: string, node: string): Promise<Locator> {
	const onCanvas = findOnCanvas(page, node);
	await visit(page, address, onCanvas);
	const panel = page.getByTestId('ndv');
	// With the node in the address, the panel of the workflow before may close this one. Now and then it is open at once:
	// n8n remembers the one before by the name of its node.
	await waitFor('the panel', async () => {
		if (await panel.isVisible()) return true;
		await onCanvas.dblclick({ timeout: 2_000 }).catch(() => undefined);
		return false;
	});
	await panel.getByTestId('node-parameters').first().waitFor();
	return panel;
}

/** By its ID: the canvas of the workflow before stays for a while, with nodes of the same names. */
const findOnCanvas = (page: Page, id: string): Locator =>
	page.locator(`[data-id="${id}"]`).getByTestId('canvas-node');

/** How long the editor may take to show another workflow without being loaded again. */
const quickMs = 20_000;

/**
 * Leaves one workflow for another within the editor, because to load the editor takes three times as long. Now and then on
 * a busy machine, the editor does not get there, and is loaded after all.
 * @param shown what the workflow shows
 */
async function visit(page: Page, address: string, shown: Locator): Promise<void> {
	const { origin, pathname } = new URL(address);
	if (new URL(page.url()).origin === origin) {
		const arriving = move(page, pathname).then(() => shown.waitFor({ timeout: quickMs }));
		if (await arriving.then(() => true).catch(() => false)) return;
	}
	await page.goto(address);
	await shown.waitFor();
}

async function move(page: Page, path: string): Promise<void> {
	// The panel closes with its workflow, and not when that is left for another one. The list of workflows changes its own
	// address when it is ready, and would take the next one back.
	await route(page, '/settings/personal');
	await page.getByTestId('ndv').waitFor({ state: 'hidden', timeout: quickMs });
	await route(page, path);
}

async function route(page: Page, path: string): Promise<void> {
	await page.evaluate((to) => {
		type App = { __vue_app__: { config: { globalProperties: { $router: Router } } } };
		type Router = { push(to: string): Promise<{ type: number } | undefined> };
		const app = document.querySelector('#app') as unknown as App;
		const { $router } = app.__vue_app__.config.globalProperties;
		const cancelledByAnother = 8;
		const push = async (): Promise<void> => {
			if ((await $router.push(to))?.type === cancelledByAnother) await push();
		};
		void push();
	}, path);
	// n8n asks when a workflow is left before it was saved, and takes the question back when it is.
	const leave = page.getByRole('button', { name: 'Leave without saving' });
	const arrive = async () => {
		if (await leave.isVisible()) await leave.click({ timeout: 2_000 }).catch(() => undefined);
		return new URL(page.url()).pathname === path;
	};
	await waitFor(path, arrive, quickMs);
}

/** The smallest rectangle around the parts. */
async function frame(parts: Locator[]): Promise<Rectangle> {
	const boxes = await Promise.all(parts.map(async (part) => await part.boundingBox()));
	const shown = boxes.filter((box) => box !== null);
	if (shown.length < parts.length) throw new Error('A part of the picture is not shown');
	const x = Math.min(...shown.map((box) => box.x));
	const y = Math.min(...shown.map((box) => box.y));
	const width = Math.max(...shown.map((box) => box.x + box.width)) - x;
	const height = Math.max(...shown.map((box) => box.y + box.height)) - y;
	return { x, y, width, height };
}

async function launch({ path, env }: ChromiumBinary): Promise<Browser> {
	const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking'];
	const offline = ['--disable-component-update', '--disable-sync', '--disable-quic'];
	// With hinting, each letter is as wide as whole pixels, and the letters stand apart.
	const likeOnScreens = ['--font-render-hinting=none'];
	return await chromium.launch({
		executablePath: path,
		env,
		// Chromium's own sandbox does not run as root, as in most containers.
		args: ['--no-sandbox', ...quiet, ...offline, ...likeOnScreens],
	});
}

/** Signed in as the tests are, because n8n takes only five logins a minute. */
async function continueSession(context: BrowserContext, { url, cookie }: Session): Promise<void> {
	const [name, value] = cookie.split(/[=;]/);
	await context.addCookies([{ name, value, url }]);
	await context.addInitScript((id) => {
		localStorage.setItem('n8n-browserId', id);
		// Without it, n8n covers the first output with an explanation of pinning.
		localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true');
	}, browserId);
}
