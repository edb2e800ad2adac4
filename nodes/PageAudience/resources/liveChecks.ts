import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { listMistakes, liveText, liveUrl } from '../../cells/livePage';
import { isIdName } from '../../parameters/convert';
import type { Check } from '../../parameters/checks';
import type { Checks } from '../../parameters/read';
import { enumerate } from '../../runtime/text';

/** The checks of fields that go to a live page, by their kinds, so that none is forgotten. IDs have their own. */
export function liveChecks(fields: readonly INodeProperties[]): Checks {
	return Object.fromEntries(fields.map((field) => [field.name, checkOfField(field)]));
}

function checkOfField({ name, type, options = [] }: INodeProperties): Check | Checks | undefined {
	if (type === 'collection') return liveChecks(options as INodeProperties[]);
	if (type === 'fixedCollection')
		return liveChecks((options as INodePropertyCollection[]).flatMap(({ values }) => values));
	return type === 'string' || type === 'color' ? checkOfText(name) : undefined;
}

/** The check of a text by its name, in the panel and in JSON. */
export function checkOfText(name: string): Check | undefined {
	if (isIdName(name)) return undefined;
	return /url/i.test(name) ? liveUrl : liveText;
}

/** Tells what may be a mistake, in a body that goes to a live page. */
export function tellMistakes<T extends IDataObject>(body: T, hint: (message: string) => void): T {
	const found = listMistakes(body);
	if (found.length > 0)
		hint(
			`A text was sent to the page with ${enumerate(found, 5)} in it: check that no value is missing.`,
		);
	return body;
}
