import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { isObject, parseJson } from '../../runtime/unknown';
import { logRarely } from '../log';

/** A body that was sent as a form. */
export interface Form {
	/** The fields. A field that holds JSON, as in `payload={…}`, is parsed. */
	content: IDataObject;
	/** Names and sizes of the files, which the trigger does not output. */
	files: IDataObject[];
}

/** @returns undefined for a body that is not a form */
export async function readForm(context: IWebhookFunctions): Promise<Form | undefined> {
	const { contentType, body }: { contentType?: string; body?: unknown } =
		context.getRequestObject();
	if (!isObject(body)) return undefined;
	if (contentType === 'application/x-www-form-urlencoded') return await readFields(context, body);
	if (contentType !== 'multipart/form-data') return undefined;
	return await readFields(context, body.data, body.files);
}

async function readFields(
	context: IWebhookFunctions,
	data: unknown,
	uploads?: unknown,
): Promise<Form> {
	const fields = new Map<string, unknown[]>();
	const add = (name: string, value: unknown) =>
		fields.set(name, [...(fields.get(name) ?? []), readField(value)]);
	const files: IDataObject[] = [];
	for (const [name, value] of listEntries(data)) add(name, value);
	for (const [name, value] of listEntries(uploads)) {
		const { originalFilename: filename, size } = isObject(value) ? value : {};
		const text = filename ? undefined : await readUpload(context, value);
		if (text === undefined) files.push({ name, filename, size });
		else add(name, text);
	}
	if (files.length > 0) {
		const listed = files.map(({ name }) => name).join(', ');
		const what = `a delivery had files (${listed}), which the trigger does not output`;
		await logRarely(context, 'files', what);
	}
	const content = [...fields].map(([name, all]) => [name, all.length > 1 ? all : all[0]]);
	return { content: Object.fromEntries(content) as IDataObject, files };
}

/** n8n makes a list of values that share one name. */
function listEntries(values: unknown): Array<[name: string, value: unknown]> {
	return Object.entries(isObject(values) ? values : {}).flatMap(([name, value]) =>
		[value].flat().map((each): [string, unknown] => [name, each]),
	);
}

function readField(value: unknown): unknown {
	const parsed = typeof value === 'string' ? parseJson(value) : undefined;
	return typeof parsed === 'object' && parsed !== null ? parsed : value;
}

/**
 * The text of a field with a content type of its own, such as JSON: n8n saves every such field as a file. A node may not
 * read files, so n8n copies this one to its binary data first.
 */
async function readUpload(
	{ nodeHelpers, helpers }: IWebhookFunctions,
	upload: unknown,
): Promise<string | undefined> {
	if (!isObject(upload) || typeof upload.filepath !== 'string') return undefined;
	const { id, data } = await nodeHelpers.copyBinaryFile(upload.filepath, 'field', 'text/plain');
	const bytes =
		id === undefined
			? Buffer.from(data, 'base64')
			: await helpers.binaryToBuffer(await helpers.getBinaryStream(id));
	return bytes.toString();
}
