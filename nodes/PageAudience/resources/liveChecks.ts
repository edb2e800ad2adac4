import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { liveScript, liveText, liveUrl } from '../../cells/livePage';
import type { Check } from '../../parameters/checks';
import { isIdName } from '../../parameters/convert';
import type { Checks } from '../../parameters/read';
import { tidyName } from '../../runtime/normalize';

/** The checks of fields that go to a live page, by their kinds, so that none is forgotten. IDs have their own. */
export function liveChecks(fields: readonly INodeProperties[]): Checks {
	return Object.fromEntries(fields.map((field) => [field.name, checkOf(field)]));
}

export const liveName: Check = (name) => liveText(tidyName(name));

function checkOf({ name, type, options = [] }: INodeProperties): Check | Checks | undefined {
	if (type === 'collection') return liveChecks(options as INodeProperties[]);
	if (type === 'fixedCollection')
		return liveChecks((options as INodePropertyCollection[]).flatMap(({ values }) => values));
	const isText = type === 'string' || type === 'color';
	if (!isText || isIdName(name)) return undefined;
	if (/url/i.test(name)) return liveUrl;
	return name === 'content' ? liveScript : liveText;
}
