import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { isObject, parseJson } from '../../runtime/unknown';
import { logRarely } from '../log';

/** A body that was sent as a form, as n8n parses it. */
export interface Form {
	/** The fields. A field that holds JSON, as in `payload={…}`, is parsed. */
	content: IDataObject;
	/** Names and sizes of the files, which the trigger does not output. A part with a content type of its own is one. */
	files: IDataObject[];
}

/** @returns undefined for a body that is not a form */
export async function readForm(context: IWebhookFunctions): Promise<Form | undefined> {
	const { contentType, body }: { contentType?: string; body?: unknown } =
		context.getRequestObject();
	if (!isObject(body)) return undefined;
	if (contentType === 'application/x-www-form-urlencoded')
		return { content: readFields(body), files: [] };
	if (contentType !== 'multipart/form-data') return undefined;
	const files = listFiles(body.files);
	if (files.length > 0) {
		const listed = files.map(({ name }) => name).join(', ');
		const what = `a delivery had files (${listed}), which the trigger does not output`;
		await logRarely(context, 'files', what);
	}
	return { content: readFields(body.data), files };
}

/** n8n makes a list of values that share one name. */
function readFields(data: unknown): IDataObject {
	const read = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(read);
		const parsed = typeof value === 'string' ? parseJson(value) : undefined;
		return typeof parsed === 'object' && parsed !== null ? parsed : value;
	};
	const fields = Object.entries(isObject(data) ? data : {});
	return Object.fromEntries(fields.map(([name, value]) => [name, read(value)])) as IDataObject;
}

function listFiles(uploads: unknown): IDataObject[] {
	return Object.entries(isObject(uploads) ? uploads : {}).flatMap(([name, value]) =>
		[value].flat().map((each: unknown) => ({ name, size: isObject(each) ? each.size : null })),
	) as IDataObject[];
}
