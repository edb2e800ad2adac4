import type { IWebhookFunctions } from 'n8n-workflow';
import { readDelivery } from '../../../nodes/PageAudienceTrigger/delivery/delivery.ts';
import { toItems } from '../../../nodes/PageAudienceTrigger/delivery/output.ts';
import { keepPages } from '../../../nodes/PageAudienceTrigger/delivery/pages.ts';
import { expectLinear } from '../growth.mts';

/*
 * Anyone may submit a form, so no text may make n8n stand still: eight times as long a text takes about eight times as
 * long.
 */

const secret = 'a1'.repeat(32);

/** All that reads a delivery with this text in its body, headers and query. */
function deliver(value: string): void {
	const headers = { 'x-event': value, referer: value };
	const body = { event: value, fields: [value], [value]: 1 };
	const rawBody = Buffer.from(JSON.stringify(body));
	const request: object = { body, rawBody, headers, query: { utm: value, token: secret } };
	const delivery = readDelivery(request as ReturnType<IWebhookFunctions['getRequestObject']>);
	toItems('details', [keepPages(delivery.parts, ['page_1'])], delivery);
}

const pieces = [
	...'\\"\' .@&%1=a-/<+?#:[{,\n',
	'\\u0061',
	'%25',
	'&amp;',
	'&#0',
	'\\"',
	'a.',
	'1,',
];
const longer = ['</script', '<!--', '\u0301\u0316', '😀', 'https://', '?token=', secret.slice(1)];

test.each([...pieces, ...longer])('a delivery with many %j', (piece) => {
	expectLinear((length) => {
		const text = `${piece.repeat(length / piece.length)}\0!`;
		return () => deliver(text);
	}, 1_024);
});
