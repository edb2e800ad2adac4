import { eventKinds } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { log } from './bodies.mts';
import { call } from './calling.mts';
import { readPage, openReceiver } from './visiting.mts';
import { watchConsole, type Told } from './watching.mts';

const sandbox = openSandbox();
openReceiver(sandbox);

const list = (query = {}) => call(sandbox, 'GET', '/v0/persons', { query });
const watch = (isEnough: (told: Told) => boolean) => watchConsole(sandbox, isEnough);

test('sends everything when the console opens, newest first', async () => {
	await list({ limit: 1 });
	await list({ limit: 0 });
	const told = await watch(({ subscriptions }) => subscriptions !== undefined);
	expect(told.requests).toMatchObject({
		total: 2,
		entries: [
			{ id: '2', method: 'GET', path: '/v0/persons?limit=0', status: 400 },
			{ id: '1', operationId: 'listPersons', status: 200, durationMs: expect.any(Number) },
		],
	});
	expect(told.subscriptions?.entries[0]).toMatchObject({ active: true });
	expect([told.deliveries, told.personLogs]).toEqual([
		{ total: 0, entries: [] },
		{ total: 0, entries: [] },
	]);
});

test('sends changes while the console is open', async () => {
	const seen = watch(
		({ deliveries, personLogs }) =>
			personLogs?.total === 1 && deliveries?.entries[0]?.status !== undefined,
	);
	const body = { ...log, name: 'Zoë <b>Müller</b>', email: 'zoe@meridian.com' };
	await call(sandbox, 'POST', '/v0/person_logs', { body });
	await sandbox.emit('form.submitted');
	const { deliveries, personLogs } = await seen;
	expect(deliveries?.entries).toMatchObject([{ kind: 'form.submitted', status: 200 }]);
	expect(personLogs?.entries).toMatchObject([
		{ personName: 'Zoë <b>Müller</b>', createdPerson: true, source: log.source, type: log.type },
	]);
});

test('empties the lists after a reset', async () => {
	await list();
	const emptied = watch(({ requests }) => requests?.total === 0);
	sandbox.reset();
	expect((await emptied).requests).toEqual({ total: 0, entries: [] });
});

test('shows a hundred entries of a kind at most', async () => {
	await list();
	const [request] = sandbox.requests;
	for (let id = 2; id <= 5000; id++) sandbox.requests.push({ ...request, id });
	const { requests } = await watch((told) => told.requests !== undefined);
	expect([requests?.total, requests?.entries.length]).toEqual([5000, 100]);
	expect([requests?.entries[0].id, requests?.entries[99].id]).toEqual(['5000', '4901']);
});

test('loads only files of the sandbox', async () => {
	const { status, headers, text } = await readPage(sandbox, '/console');
	expect([status, headers.get('content-security-policy')]).toEqual([
		200,
		expect.stringMatching(/^default-src 'none'; .*script-src 'self'/),
	]);
	const loaded = [...text.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]*)"/g)];
	const wanted = loaded.map(([, path]) => path).filter((path) => path !== 'data:,');
	expect(wanted).toEqual(['/styles/pico.css', '/styles/console.css', '/console/browser/main.mts']);
	for (const path of wanted) {
		const file = await readPage(sandbox, path);
		expect(file.status).toBe(200);
		for (const [, name] of file.text.matchAll(/(?:from|import) ["']\.\/([^"']+)["']/g)) {
			wanted.push(`/console/browser/${name}`);
		}
		expect(file.text).not.toMatch(/@import|url\((?!["']?data:)|innerHTML|import type/);
		if (path.endsWith('.mts')) expect(file.text).not.toMatch(/https?:/);
	}
	expect(wanted).toHaveLength(7);
	expect((await readPage(sandbox, '/console/index.mts')).status).toBe(404);
	expect((await readPage(sandbox, '/console/browser/..%2fdetails.mts')).status).toBe(404);
	expect(sandbox.requests).toEqual([]);
});

test('has a button for each event', async () => {
	const { text } = await readPage(sandbox, '/console');
	const offered = [...text.matchAll(/<button name="kind" value="([^"]*)">\1<\/button>/g)].map(
		([, kind]) => kind,
	);
	expect(offered).toEqual(eventKinds);
});
