import type { Details } from '../entries.mts';

const dialog = document.querySelector('dialog');
const title = document.querySelector('#details-title');
const content = document.querySelector('#details');

dialog?.querySelector('button')?.addEventListener('click', () => dialog.close());
dialog?.addEventListener('click', ({ target }) => {
	// Only a click outside the dialog's content hits the dialog itself.
	if (target === dialog) dialog.close();
});
// Without this, a second click on the same link would not change the address.
dialog?.addEventListener('close', () => history.replaceState(null, '', location.pathname));

/** Shows the entry that the address names: `#requests/12`. */
export async function showDetails(): Promise<void> {
	const link = location.hash.slice(1);
	if (!link || !dialog || !title || !content) return;
	const details = await readDetails(`/console/details/${link}`);
	title.textContent = details.title;
	content.replaceChildren(listFacts(details), ...details.parts.flatMap(listPart));
	if (!dialog.open) dialog.showModal();
}

async function readDetails(path: string): Promise<Details> {
	try {
		const response = await fetch(path);
		const body = await response.json();
		return response.ok ? body : { title: body.message, facts: [], parts: [] };
	} catch {
		return { title: 'No response from the sandbox', facts: [], parts: [] };
	}
}

function listFacts({ facts }: Details): HTMLElement {
	const table = document.createElement('table');
	for (const [name, text] of facts) {
		const row = table.insertRow();
		row.append(makeElement('th', name), makeElement('td', text));
	}
	return table;
}

function listPart({ title: heading, text }: Details['parts'][number]): HTMLElement[] {
	const block = document.createElement('pre');
	block.append(makeElement('code', text));
	// Makes a long text scrollable with the keyboard.
	block.tabIndex = 0;
	return [makeElement('h3', heading), block];
}

function makeElement(tag: string, text: string): HTMLElement {
	const element = document.createElement(tag);
	element.textContent = text;
	return element;
}
