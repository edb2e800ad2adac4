import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { parseJson } from '../../api/text';
import { logRarely } from '../log';
import { readTriggerId } from '../ownUrl';

/** What a sender sent as a form. */
export interface Form {
	/** The fields. Those that are JSON, as in `payload={…}`, are read as JSON. */
	content: IDataObject;
	/** Names and sizes of the files, which the trigger does not output. */
	files: IDataObject[];
}

/** @returns undefined for a body that is no form */
export async function readForm(context: IWebhookFunctions): Promise<Form | undefined> {
	const { contentType, body }: { contentType?: string; body?: unknown } =
		context.getRequestObject();
	if (!isObject(body)) return undefined;
	if (contentType === 'application/x-www-form-urlencoded') return await readParts(context, body);
	if (contentType !== 'multipart/form-data') return undefined;
	return await readParts(context, body.data, body.files);
}

async function readParts(
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
		const text = filename ? undefined : await readPart(context, value);
		if (text === undefined) files.push({ name, filename, size });
		else add(name, text);
	}
	if (files.length > 0) {
		const listed = files.map(({ name }) => name).join(', ');
		const what = `a delivery had files (${listed}), which the trigger does not output`;
		await logRarely(context, `${readTriggerId(context)}:files`, what);
	}
	const content = [...fields].map(([name, [first, ...more]]) => [
		name,
		more.length > 0 ? [first, ...more] : first,
	]);
	return { content: Object.fromEntries(content) as IDataObject, files };
}

/** n8n has a list where a name comes more than once. */
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
 * The text of a part with a content type of its own, such as JSON: n8n saves every such part as a file. Only n8n may read
 * files, so it copies this one to where it keeps binary data.
 */
async function readPart(
	{ nodeHelpers, helpers }: IWebhookFunctions,
	part: unknown,
): Promise<string | undefined> {
	if (!isObject(part) || typeof part.filepath !== 'string') return undefined;
	const { id, data } = await nodeHelpers.copyBinaryFile(part.filepath, 'part', 'text/plain');
	const bytes =
		id === undefined
			? Buffer.from(data, 'base64')
			: await helpers.binaryToBuffer(await helpers.getBinaryStream(id));
	return bytes.toString();
}
