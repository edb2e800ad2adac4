import type { Kind } from '../entries.mts';
import { showDetails } from './details.mts';
import { showList } from './lists.mts';
import { fillRow } from './rows.mts';

const state = document.querySelector('#state');
const feed = new EventSource('/console/feed');

function tell(text: string, isLive: boolean): void {
	if (state) state.textContent = text;
	document.body.classList.toggle('live', isLive);
}

function listen<K extends Kind>(kind: K): void {
	const fill = fillRow[kind];
	feed.addEventListener(kind, ({ data }) =>
		showList(kind, JSON.parse(data), fill, (id) => void showDetails(kind, id)),
	);
}

feed.addEventListener('open', () => tell('Live', true));
// The browser tries again by itself.
feed.addEventListener('error', () => tell('The sandbox does not answer. Trying again …', false));
listen('subscriptions');
listen('deliveries');
listen('personLogs');
listen('requests');
