import { toItems } from '../../../nodes/PageAudienceTrigger/delivery/output.ts';
import { readParts } from '../../../nodes/PageAudienceTrigger/delivery/parts.ts';
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
	const delivery = { body, text: JSON.stringify(body), headers, query: { utm: value } };
	const more = { isJson: true, charset: 'utf8', bytes: undefined } as const;
	toItems('details', [readParts(delivery)], { ...delivery, ...more }, [secret]);
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
