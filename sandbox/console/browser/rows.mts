import type { Entries, Kind } from '../entries.mts';

function add(row: Element, className: string, text: string): void {
	const part = document.createElement('span');
	part.className = className;
	part.textContent = text;
	// Read aloud and copied, the parts stay apart.
	row.append(part, ' ');
}

const timeOf = (moment: string): string =>
	new Date(moment).toLocaleTimeString([], { hour12: false });

function addOutcome(row: Element, status: number | undefined, isOver: boolean): void {
	if (status !== undefined) add(row, `badge ${status < 400 ? 'good' : 'bad'}`, String(status));
	else if (isOver) add(row, 'badge bad', 'lost');
	else add(row, 'badge open', '…');
}

/** Fills a row with texts only: whatever visitors typed stays text. */
export const fillRow: { [K in Kind]: (row: Element, entry: Entries[K]) => void } = {
	requests(row, { at, method, path, operationId, status, durationMs, fault }) {
		row.replaceChildren();
		add(row, 'time', timeOf(at));
		addOutcome(row, status, durationMs !== undefined);
		add(row, 'main', `${method} ${path}`);
		const took = durationMs === undefined ? 'under way' : `${durationMs} ms`;
		add(row, 'note', [operationId, took, fault && `fault: ${fault}`].filter(Boolean).join(' · '));
	},
	deliveries(row, { at, kind, url, status, error }) {
		row.replaceChildren();
		add(row, 'time', timeOf(at));
		addOutcome(row, status, error !== undefined);
		add(row, 'main', kind);
		add(row, 'note', error === undefined ? url : `${url} · ${error}`);
	},
	personLogs(row, { at, personName, createdPerson, source, type }) {
		row.replaceChildren();
		add(row, 'time', timeOf(at));
		add(row, `badge ${createdPerson ? 'good' : 'open'}`, createdPerson ? 'new' : 'known');
		add(row, 'main', personName);
		add(row, 'note', `${type} · ${source}`);
	},
	subscriptions(row, { id, active, url, events }) {
		row.replaceChildren();
		add(row, `badge ${active ? 'good' : 'open'}`, active ? 'active' : 'inactive');
		add(row, 'main', url);
		add(row, 'note', `${events === null ? 'every kind' : events.join(', ') || 'no kind'} · ${id}`);
	},
};
