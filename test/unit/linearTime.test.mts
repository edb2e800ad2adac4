import type { IWebhookFunctions } from 'n8n-workflow';
import { readServiceText } from '../../nodes/api/serviceText.ts';
import { readDelivery } from '../../nodes/PageAudienceTrigger/delivery/delivery.ts';
import { toDeliveryItems } from '../../nodes/PageAudienceTrigger/delivery/output.ts';
import { keepPages } from '../../nodes/PageAudienceTrigger/delivery/pages.ts';
import { kebabCase } from '../../nodes/parameters/checks.ts';

/* No text from outside may make n8n stand still: eight times as long a text takes about eight times as long. */

const token = 'a1'.repeat(32);

/** All that reads a delivery with this text in its body, headers and query, and an error of the service with it. */
function read(text: string): void {
	const headers = { 'x-event': text, referer: text };
	const pages = Array.from({ length: text.length / 8 }, () => ({ page: {} }));
	const body = { event: text, fields: [text], [text]: 1, pages };
	const rawBody = Buffer.from(JSON.stringify(body));
	const request: object = { body, rawBody, headers, query: { utm: text, token } };
	const { parts, ...delivery } = readDelivery(
		request as ReturnType<IWebhookFunctions['getRequestObject']>,
	);
	toDeliveryItems('details', [keepPages(parts, ['page_1'])], { parts, ...delivery });
	readServiceText(text, 'a key of the API');
	readServiceText({ errors: pages.map(() => text.slice(0, 8)) }, 'a key of the API');
}

/** What a check says of it. */
function check(text: string): void {
	expect(() => kebabCase(text)).toThrow(/^.{20,400}$/);
}

/** The milliseconds that the processor worked, which a busy machine's pauses do not change. */
function measure(work: () => void): number {
	const started = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(started);
	return (user + system) / 1000;
}

const pieces = [
	...['\\', '"', "'", ' ', '.', '@', '&', '%1', '=', '<', '+', '?', '#', '[', '{', ',', '\n', 'x'],
	...['%25', '%-%', '&amp;', '&#0', '\\"', 'a.', '1,', '<script ', '<!--', '\u0301\u0316', '😀'],
	...['https://', '?token=', token.slice(1), 'page_1x', '"page":{', '{"pageId":1},'],
];

test.each([
	...pieces.map((piece) => [piece, read, 2 ** 12] as const),
	...['a-', 'A', '-', 'a'].map((piece) => [piece, check, 2 ** 15] as const),
])('many %j take linear time', (piece, work, length) => {
	const measureAt = (count: number) => {
		const text = `${piece.repeat(count / piece.length)}\0!`;
		return measure(() => work(text));
	};
	// Quadratic growth, 64 times as long, shows every time. The clock is too coarse below a tenth of a millisecond.
	let ratio = Infinity;
	for (let n = 0; n < 3 && ratio >= 40; n++)
		ratio = Math.min(ratio, measureAt(8 * length) / Math.max(measureAt(length), 0.1));
	expect(ratio).toBeLessThan(40);
});
