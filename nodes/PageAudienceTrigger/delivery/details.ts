import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { redact } from '../../api/redact';
import { allUrlParameters } from '../subscription/registeredUrl';
import type { Delivery } from './delivery';
import { cleanHeaders } from './headers';
import type { Selection } from './kinds';

/** The delivery as one item, without what would let its reader send another. */
export function toDetails(
	{ body, kind }: Selection,
	{ text, headers, query }: Delivery,
	known: { deliveryKey: string; receivedAt: Date },
	tokens: string[],
): INodeExecutionData {
	return {
		json: {
			body: redact(body, tokens) as IDataObject,
			rawBody: redact(text, tokens),
			headers: cleanHeaders(headers, tokens),
			query: redact(cleanQuery(query), tokens),
			eventKind: kind,
			receivedAt: known.receivedAt.toISOString(),
			deliveryKey: known.deliveryKey,
		},
	};
}

/** Without the parameters that this trigger itself put into the registered URL. */
function cleanQuery(query: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(query).filter(([name]) => !allUrlParameters.includes(name)),
	);
}
