import type { Kind } from '../entries.mts';
import { showDetails } from './details.mts';
import { showList } from './lists.mts';
import { makeRowOf } from './rows.mts';
import './sending.mts';

const state = document.querySelector('#state');
const feed = new EventSource('/console/feed');

function showState(text: string, isLive: boolean): void {
	if (!state) return;
	state.textContent = text;
	state.ariaBusy = String(!isLive);
}

function followList<K extends Kind>(kind: K): void {
	feed.addEventListener(kind, ({ data }) => showList(kind, JSON.parse(data), makeRowOf[kind]));
}

feed.addEventListener('open', () => showState('Live', true));
// The browser reconnects by itself.
feed.addEventListener('error', () => showState('No response. Reconnecting …', false));
followList('subscriptions');
followList('deliveries');
followList('personLogs');
followList('requests');
addEventListener('hashchange', () => void showDetails());
void showDetails();
