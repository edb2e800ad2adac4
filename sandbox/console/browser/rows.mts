import type { Entries, Kind } from '../entries.mts';

/** Colours a cell. An entry without an outcome is pending or needs no attention. */
type Outcome = 'good' | 'bad' | undefined;

/** Sets texts only, so that whatever visitors typed stays text. */
function makeRow(
	link: string,
	cells: { time?: string; badge: string; outcome: Outcome; title: string; note: string },
) {
	const row = document.createElement('tr');
	if (cells.time !== undefined) {
		const time = row.insertCell();
		time.textContent = new Date(cells.time).toLocaleTimeString([], { hour12: false });
	}
	const badge = row.insertCell();
	badge.textContent = cells.badge;
	if (cells.outcome) badge.dataset.outcome = cells.outcome;
	const anchor = document.createElement('a');
	anchor.href = `#${link}`;
	anchor.textContent = cells.title;
	const note = document.createElement('small');
	note.textContent = cells.note;
	row.insertCell().append(anchor, ' ', note);
	return row;
}

function judgeResponse(
	status: number | undefined,
	isOver: boolean,
): { badge: string; outcome: Outcome } {
	if (status !== undefined)
		return { badge: String(status), outcome: status < 400 ? 'good' : 'bad' };
	return isOver ? { badge: 'failed', outcome: 'bad' } : { badge: '…', outcome: undefined };
}

const joinFacts = (...facts: (string | undefined)[]): string => facts.filter(Boolean).join(' · ');

export const makeRowOf: { [K in Kind]: (link: string, entry: Entries[K]) => HTMLTableRowElement } =
	{
		requests: (link, { at, method, path, operationId, status, durationMs, fault }) =>
			makeRow(link, {
				time: at,
				...judgeResponse(status, durationMs !== undefined),
				title: `${method} ${path}`,
				note: joinFacts(
					operationId,
					durationMs === undefined ? 'pending' : `${durationMs} ms`,
					fault && `fault: ${fault}`,
				),
			}),
		deliveries: (link, { at, kind, url, status, error }) =>
			makeRow(link, {
				time: at,
				...judgeResponse(status, error !== undefined),
				title: kind,
				note: joinFacts(url, error),
			}),
		personLogs: (link, { at, personName, createdPerson, source, type }) =>
			makeRow(link, {
				time: at,
				badge: createdPerson ? 'new' : 'known',
				outcome: createdPerson ? 'good' : undefined,
				title: personName,
				note: joinFacts(type, source),
			}),
		subscriptions: (link, { id, active, url, events }) =>
			makeRow(link, {
				badge: active ? 'active' : 'inactive',
				outcome: active ? 'good' : undefined,
				title: url,
				note: joinFacts(events === null ? 'all events' : events.join(', ') || 'no events', id),
			}),
	};
