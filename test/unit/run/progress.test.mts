import { Progress } from '../../../nodes/PageAudience/run/progress.ts';

const start = Date.parse('2026-01-05T09:00:00.000Z');

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

function follow() {
	const lines: string[] = [];
	const progress = new Progress({ info: (line) => lines.push(line) }, 'Sync', 200_000);
	const at = (seconds: number, heldBackMs = 0) => {
		jest.setSystemTime(start + seconds * 1000);
		progress.tell(heldBackMs);
	};
	return { progress, lines, at };
}

test('says nothing in a run of less than a minute', () => {
	const { lines, at } = follow();
	at(0);
	at(59);
	expect(lines).toEqual([]);
});

test('says once a minute how many items are done, and how long the rate limit held it back', () => {
	const { progress, lines, at } = follow();
	for (let item = 0; item < 1_234; item++) progress.noteItem();
	at(60);
	progress.noteItem();
	at(61);
	at(119);
	at(185, 40_400);
	expect(lines).toEqual([
		'Sync: 1,234 of 200,000 items done after 1 min',
		'Sync: 1,235 of 200,000 items done after 3 min, 40 s of it waiting for the rate limit',
	]);
});
