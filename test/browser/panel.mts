import type { Locator } from 'playwright-core';
import { moveToRecentWeeks, type Store } from '../../sandbox/index.mts';
import { waitFor } from '../waitFor.mts';

/** What a person does in a node's panel. Parameters go by the names that a workflow stores. */

/** The field of a resource locator. */
export const locatorOf = (panel: Locator, parameter: string): Locator =>
	panel.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input');

export const fieldOf = (panel: Locator, parameter: string): Locator =>
	panel.getByTestId(`parameter-input-${parameter}`).locator('input, textarea').first();

/** The entries of the list that is open. */
export const listed = (panel: Locator): Locator =>
	panel.page().getByTestId('rlc-item').locator('visible=true');

/** Opens a list, searches it, and picks the first entry that has the text. Returns its name. */
export async function pick(
	panel: Locator,
	parameter: string,
	text: string,
	search = text,
): Promise<string> {
	const entries = await openList(panel, parameter, search);
	return await take(entries.filter({ hasText: text }).first(), entries);
}

/** Picks the audience with this ID, whose name may be shortened. */
export async function pickAudience(panel: Locator, id: string): Promise<void> {
	const entries = await openList(panel, 'audienceId', id);
	await waitFor(`the one entry of ${id}`, async () => (await entries.count()) === 1);
	await take(entries.first(), entries);
}

async function openList(panel: Locator, parameter: string, search: string): Promise<Locator> {
	await locatorOf(panel, parameter).click();
	const entries = listed(panel);
	await entries.first().waitFor();
	await panel.page().getByTestId('rlc-search').locator('visible=true').fill(search);
	return entries;
}

async function take(entry: Locator, entries: Locator): Promise<string> {
	const name = await entry.innerText();
	await entry.click();
	await entries.first().waitFor({ state: 'hidden' });
	return name;
}

/** Enters an expression into a field that is fixed, as a person does: n8n takes the equals sign as the switch. */
export async function enterExpression(field: Locator, expression: string): Promise<void> {
	await field.locator('input, textarea').first().fill('=');
	await field.locator('.cm-content').fill(expression);
}

/** Adds a field or an option to the first collection. */
export async function addField(panel: Locator, label: string): Promise<void> {
	await panel.getByTestId('collection-parameter-add').first().click();
	await panel.page().getByText(label, { exact: true }).last().click();
}

/** Executes the node until the output shows the text. */
export async function execute(panel: Locator, result: string): Promise<void> {
	await panel.getByTestId('node-execute-button').click();
	await panel.getByTestId('ndv-data-container').getByText(result).first().waitFor();
}

/** Moves what visitors did into the past weeks. Those who left only a phone number get this email. */
export function completeSubmissions(store: Store, email: string): void {
	moveToRecentWeeks(store);
	for (const { pageId } of store.pages)
		for (const session of store.sessions.of(pageId))
			if (session.hasFormSubmit) session.formSubmissionEmail ||= email;
}
