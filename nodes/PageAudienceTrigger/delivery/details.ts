import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { allUrlParameters } from '../subscription/registeredUrl';
import type { Delivery } from './delivery';
import { cleanHeaders } from './headers';
import type { Selection } from './kinds';
import { redactBody, redactTokens } from './redaction';

/** The delivery as one item, without what would let its reader send another. */
export function toDetails(
	{ body, kind }: Selection,
	{ text, headers, query }: Delivery,
	known: { deliveryKey: string; receivedAt: Date },
	tokens: string[],
): INodeExecutionData {
	return {
		json: {
			body: redactBody(body, text, tokens) as IDataObject,
			rawBody: redactTokens(text, tokens) as string,
			headers: cleanHeaders(headers, tokens),
			query: redactTokens(cleanQuery(query), tokens) as IDataObject,
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
