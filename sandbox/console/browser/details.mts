import type { Details, Kind } from '../entries.mts';

const dialog = document.querySelector('dialog');
const title = document.querySelector('#details-title');
const content = document.querySelector('#details');

// A click beside the dialog is one on the dialog itself, whose whole surface its content covers.
dialog?.addEventListener('click', ({ target }) => {
	if (target === dialog) dialog.close();
});

export async function showDetails(kind: Kind, id: string): Promise<void> {
	const details = await read(`/console/details/${kind}/${encodeURIComponent(id)}`);
	if (!dialog || !title || !content) return;
	title.textContent = details.title;
	content.replaceChildren(listFacts(details), ...details.parts.flatMap(listPart));
	dialog.showModal();
	dialog.scrollTop = 0;
}

async function read(path: string): Promise<Details> {
	try {
		const answer = await fetch(path);
		const body = await answer.json();
		return answer.ok ? body : { title: body.message, facts: [], parts: [] };
	} catch {
		return { title: 'The sandbox does not answer', facts: [], parts: [] };
	}
}

function listFacts({ facts }: Details): HTMLElement {
	const list = document.createElement('dl');
	for (const [name, text] of facts) list.append(make('dt', name), make('dd', text));
	return list;
}

function listPart({ title, text }: Details['parts'][number]): HTMLElement[] {
	const block = make('pre', text);
	// A long text is scrolled, with the keyboard too.
	block.tabIndex = 0;
	return [make('h3', title), block];
}

function make(tag: string, text: string): HTMLElement {
	const element = document.createElement(tag);
	element.textContent = text;
	return element;
}
