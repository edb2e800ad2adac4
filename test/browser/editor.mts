import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { connect, type N8nClient } from '../../tools/n8n/client.mts';
import { localOwner } from '../../tools/n8n/session.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference } from '../../tools/n8n/workflow.mts';

// The editor renders slowly on a busy machine.
const patienceMs = 30_000;
jest.setTimeout(4 * patienceMs);

// The attribute by which n8n names the parts of its editor.
selectors.setTestIdAttribute('data-test-id');

const browsers = [
	process.env.CHROMIUM_PATH,
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of this machine. A manual run may do without one. */
const browserPath = browsers.find((path) => path !== undefined && existsSync(path));

/** `describe`, or a skip that says what is missing. */
export function describeInBrowser(name: string, tests: () => void): void {
	if (browserPath || process.env.CI) return void describe(name, tests);
	describe.skip(
		`${name} (skipped: there is no Chromium here; install it, or set CHROMIUM_PATH)`,
		tests,
	);
}

export type Editor = {
	page: Page;
	url: string;
	client: N8nClient;
	sandbox: Sandbox;
	credential: CredentialReference;
	/** Opens the panel of one of the package's nodes, alone in a workflow. */
	openPanel(node: 'pageAudience' | 'pageAudienceTrigger', parameters: JsonObject): Promise<Locator>;
	/** Saves a screenshot in .cache/screenshots. */
	photograph(name: string, what?: Locator): Promise<void>;
	close(): Promise<void>;
};

/** The running n8n's editor, signed in, with a sandbox and its credential. */
export async function openEditor(): Promise<Editor> {
	const sandbox = await startSandbox();
	try {
		return await openWith(sandbox);
	} catch (error) {
		// An open server keeps Jest from exiting.
		await sandbox.close();
		throw error;
	}
}

async function openWith(sandbox: Sandbox): Promise<Editor> {
	const url = process.env.N8N_FOR_TESTS;
	if (!url) throw new Error('n8n is not started: run these tests with `npm test -- browser`');
	if (!browserPath) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH');
	const client = await connect(url);
	const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const credential = await client.createCredential('pageAudienceApi', 'Sandbox', data);
	const browser = await launch(browserPath);
	const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
	page.setDefaultTimeout(patienceMs);
	await signIn(page, url);

	return {
		page,
		url,
		client,
		sandbox,
		credential,
		openPanel: async (node, parameters) => {
			const { id } = await client.createWorkflow({
				name: node,
				nodes: [
					{
						id: 'node',
						name: 'Tested',
						type: `n8n-nodes-page-audience.${node}`,
						typeVersion: 1,
						position: [0, 0],
						parameters,
						credentials: { pageAudienceApi: credential },
					},
				],
				connections: {},
			});
			await page.goto(`${url}/workflow/${id}/node`);
			const panel = page.getByTestId('ndv');
			await panel.getByTestId('node-parameters').first().waitFor();
			return panel;
		},
		photograph: async (name, what) => {
			const folder = join(import.meta.dirname, '../../.cache/screenshots');
			mkdirSync(folder, { recursive: true });
			await (what ?? page).screenshot({
				path: join(folder, `${name}.png`),
				animations: 'disabled',
			});
		},
		close: async () => {
			await browser.close();
			await sandbox.close();
		},
	};
}

async function launch(executablePath: string): Promise<Browser> {
	const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking'];
	const offline = ['--disable-component-update', '--disable-sync', '--disable-quic'];
	return await chromium.launch({
		executablePath,
		// Chromium's own sandbox does not run as root, as in most containers.
		args: ['--no-sandbox', ...quiet, ...offline],
	});
}

async function signIn(page: Page, url: string): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(localOwner.email);
	await page.locator('input[name=password]').fill(localOwner.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((at) => !at.pathname.includes('signin'));
}
